import { MONTHS, utc } from "@/lib/domain/telemetry/instant";

/** The instant at the head of a log's line, and how it is known. */
export type LogTime = { at: number; atIs?: "assumed_utc" | "received" };

const DAY_MS = 86_400_000;
/** A line cannot be younger than its arrival by more than this: then its clock or its zone is not what we take it for. */
const AHEAD_MS = 600_000;
/** No data-centre GPU that this product reads is older: a clock that says so was never set. */
const OLDEST = Date.UTC(2015, 0, 1);

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?(Z|[+-]\d\d:?\d\d)?(?=\s|$)/;
const UNIX = /^(\d{9,11})\.(\d{1,9})(?=\s)/;
const FULL = /^[A-Z][a-z]{2} (\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d) ([A-Z]{3,5}|[+-]\d\d)(?=\s|$)/;
const CTIME = /^\[[A-Z][a-z]{2} ([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})\]/;
const SYSLOG = /^([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?=\s)/;
const SINCE_BOOT = /^(?:<\d{1,4}>)?\[ *(\d{1,10})\.(\d{1,9})\]/;
const KMSG = /^\d{1,4},\d{1,20},(\d{1,16}),/;
/** `dmesg -x` writes facility and level before the time. */
const LEVEL = /^[a-z]{3,8} *:[a-z]{3,6} *: */;

/**
 * The time of a line of the kernel's log as dmesg (plain, `-T`, iso), journalctl, syslog and /dev/kmsg write it. A time since
 * boot is an instant only where `bootedAt` is known; what is none, or cannot be true, is `receivedAt`, and says so.
 */
export function readLogTime(head: string, receivedAt: number, bootedAt: number | null): LogTime {
  const text = head.replace(LEVEL, "");
  const found = zoned(text) ?? sinceBoot(text, bootedAt) ?? zoneless(text, receivedAt);
  if (!found || found.at < OLDEST || found.at > receivedAt + AHEAD_MS) return { at: receivedAt, atIs: "received" };
  return found;
}

function zoned(text: string): LogTime | null {
  const iso = ISO.exec(text);
  if (iso) {
    const at = utc(iso[1], iso[2], iso[3], iso[4], iso[5], iso[6], iso[7]);
    if (at === null) return null;
    return iso[8] === undefined ? { at, atIs: "assumed_utc" } : { at: at - offsetMs(iso[8]) };
  }
  const unix = UNIX.exec(text);
  if (unix) return { at: Number(unix[1]) * 1000 + milliseconds(unix[2]) };
  const full = FULL.exec(text);
  if (!full) return null;
  const at = utc(full[1], full[2], full[3], full[4], full[5], full[6]);
  if (at === null) return null;
  if (full[7] === "UTC" || full[7] === "GMT") return { at };
  // Letters of other zones mean different zones to different people.
  return /^[+-]/.test(full[7] ?? "") ? { at: at - offsetMs(`${full[7]}00`) } : { at, atIs: "assumed_utc" };
}

function sinceBoot(text: string, bootedAt: number | null): LogTime | null {
  if (bootedAt === null) return null;
  const seconds = SINCE_BOOT.exec(text);
  if (seconds) return { at: Math.round(bootedAt) + Number(seconds[1]) * 1000 + milliseconds(seconds[2]) };
  const micros = KMSG.exec(text);
  return micros ? { at: Math.round(bootedAt) + Math.floor(Number(micros[1]) / 1000) } : null;
}

function zoneless(text: string, receivedAt: number): LogTime | null {
  const ctime = CTIME.exec(text);
  if (ctime) {
    const at = utc(ctime[6], month(ctime[1]), ctime[2], ctime[3], ctime[4], ctime[5]);
    return at === null ? null : { at, atIs: "assumed_utc" };
  }
  const part = SYSLOG.exec(text);
  if (!part) return null;
  // Without a year: the newest one in which the line is no more than a day ahead of us.
  const year = new Date(receivedAt).getUTCFullYear() + 1;
  for (const guess of [year, year - 1, year - 2]) {
    const at = utc(String(guess), month(part[1]), part[2], part[3], part[4], part[5], part[6]);
    if (at !== null && at <= receivedAt + DAY_MS) return { at, atIs: "assumed_utc" };
  }
  return null;
}

function month(name: string | undefined): string {
  return String(MONTHS.indexOf(name ?? "") + 1);
}

function milliseconds(fraction: string | undefined): number {
  return Number((fraction ?? "").padEnd(3, "0").slice(0, 3));
}

function offsetMs(zone: string): number {
  if (zone === "Z") return 0;
  const sign = zone.startsWith("-") ? -1 : 1;
  const digits = zone.replace(/\D/g, "");
  return sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4))) * 60_000;
}
