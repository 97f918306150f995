/** Below zero: the first version is older. "550" is 550.0.0. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a version is the one that was named, or one within it: 2.5.1+cu124 is 2.5. */
export function isVersion(version: string, named: string): boolean {
  const [own, wanted] = [partsOf(version), partsOf(named)];
  return wanted.every((part, i) => (own[i] ?? 0) === part);
}

function partsOf(version: string): number[] {
  const digits = /\d{1,6}(?:\.\d{1,6}){0,3}/.exec(version)?.[0] ?? "0";
  return digits.split(".").map(Number);
}
