const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z$/;
const NVIDIA_SMI = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/;
const CTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})$/;
export const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `2026-11-21T01:02:03Z`, with or without a fraction, as epoch milliseconds; null for anything else. */
export function parseIsoInstant(text: string): number | null {
  const part = ISO.exec(text);
  return part && utc(part[1], part[2], part[3], part[4], part[5], part[6], part[7]);
}

/** nvidia-smi's `timestamp` column, `2026/11/20 14:32:10.123`, and `<timestamp>` of its XML, `Mon Apr 24 16:22:39 2023`; neither has a zone: taken as UTC. */
export function parseSmiTimestamp(text: string): number | null {
  const part = NVIDIA_SMI.exec(text);
  if (part) return utc(part[1], part[2], part[3], part[4], part[5], part[6], part[7]);
  const ctime = CTIME.exec(text);
  if (!ctime) return null;
  const month = MONTHS.indexOf(ctime[1] ?? "") + 1;
  return utc(ctime[6], String(month), ctime[2], ctime[3], ctime[4], ctime[5], "0");
}

/** As the agent and nvidia-smi's own column write it: UTC, without the fraction where there is none. */
export function formatIsoInstant(at: number): string {
  return new Date(at).toISOString().replace(".000Z", "Z");
}

/** Year, month, day, hour, minute, second and digits of a fraction, as written, in UTC; null for a date that the calendar does not have. */
export function utc(...parts: (string | undefined)[]): number | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  const ms = Number((parts[6] ?? "").padEnd(3, "0").slice(0, 3));
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return null;
  const at = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  return new Date(at).getUTCDate() === day ? at : null;
}
