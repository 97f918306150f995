const forgetting: (() => void)[] = [];

/** What a process remembers of a database is of that database only: `forget` runs when the connection to it ends. */
export function untilDisconnected(forget: () => void): void {
  forgetting.push(forget);
}

export function forgetAll(): void {
  for (const forget of forgetting) forget();
}
