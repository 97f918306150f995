/** Whether what is typed means a launch: `launch`, `launch 2 gh200 …`. */
export function isLaunchLine(text: string): boolean {
  return /^\s*launch(\s|$)/i.test(text);
}
