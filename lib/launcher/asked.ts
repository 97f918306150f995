/** Calls when the command is to end: by Ctrl-C, by a signal, by the terminal's end, or because npm, which started it, is gone. */
export function whenAsked(leave: () => void): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, leave);
  if (!process.env.npm_lifecycle_event) return;
  // npm hands a SIGTERM on to the shell between it and us, which dies of it without a word to us.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) leave();
  }, 500).unref();
}
