import type { GpuPlace, XidSighting } from "@/lib/domain/telemetry/report";
import { cleanText, textOrNull } from "@/lib/domain/telemetry/text";
import { readLogTime } from "./log-time";
import { busPlace } from "./place";

/** Bounds of one text: the newest lines of the driver and the newest sightings are kept, and a line is read this far. */
export const KERNEL_LOG_LIMITS = { lines: 20_000, sightings: 2_000, lineChars: 1_000, headChars: 300 };

const MARK = "NVRM: ";
/** `NVRM: Xid (PCI:0000:c6:00): 79, …`, on a MIG instance `(PCI:0000:c6:00 GPU-I:05)`, with old drivers without `PCI:`. */
const XID = /^NVRM: Xid \((?:PCI:)?([0-9a-fA-F:.]{5,20})(?: GPU-I:(\d{1,3}))?[^)\n]{0,60}\): (\d{1,4})(?:[,:] ?(.*))?$/;
/** The driver says once after boot which card sits at a place. */
const UUID = /^NVRM: GPU at (?:PCI:)?([0-9a-fA-F:.]{5,20}): (GPU-[0-9a-fA-F-]{36})/;
/** journalctl and syslog: host, then who wrote the line. */
const WRITER = /(?:^|\s)\S{1,100} ([A-Za-z][\w./-]{0,60})(?:\[\d{1,10}\])?: /;

/**
 * Xid lines in the kernel's log, oldest first, whoever wrote it down (dmesg, journalctl, syslog, /dev/kmsg); other lines are left
 * out. Never throws. A line that tells no instant carries `receivedAt` and says so (`atIs`); `bootedAt`, where the sender knows it,
 * makes instants of times since boot.
 */
export function parseKernelLog(text: string, receivedAt: number, bootedAt: number | null = null): XidSighting[] {
  const told: { head: string; message: string; part: RegExpExecArray; place: string; code: number }[] = [];
  const uuids = new Map<string, string>();
  for (const { head, message } of driverLines(text)) {
    const uuid = UUID.exec(message);
    const bus = busPlace(uuid?.[1] ?? null);
    if (uuid?.[2] && bus) {
      if (uuids.size < 1000 && !uuids.has(bus)) uuids.set(bus, uuid[2]);
      continue;
    }
    const part = told.length < KERNEL_LOG_LIMITS.sightings ? XID.exec(message) : null;
    const place = busPlace(part?.[1] ?? null);
    const code = Number(part?.[3] ?? 0);
    if (part && place !== null && code > 0 && !isQuoted(head)) told.push({ head, message, part, place, code });
  }
  return told.reverse().map(({ head, message, part, place, code }) => ({
    ...readLogTime(head, receivedAt, bootedAt),
    code,
    place: gpuPlace(place, part[2], uuids),
    seenBy: "kernel",
    text: cleanText(head + message, KERNEL_LOG_LIMITS.lineChars),
    ...processOf(part[4] ?? ""),
  }));
}

/** What the driver says in a line, without the log's own time and writer: the same in every form of the log. */
export function driverMessage(line: string): string {
  const at = line.indexOf(MARK);
  return at < 0 ? line : line.slice(at);
}

/** What an Xid line says after code, pid and name. */
export function xidWords(line: string): string {
  const rest = XID.exec(driverMessage(line))?.[4] ?? line;
  return rest.replace(/^(?:pid=[^,]{1,40}, )?(?:name=[^,]{1,60}, )?/, "");
}

/** The lines in which the driver speaks, newest first. */
function driverLines(text: string): { head: string; message: string }[] {
  const { headChars, lineChars, lines } = KERNEL_LOG_LIMITS;
  const found: { head: string; message: string }[] = [];
  for (let to = text.length; to > 0 && found.length < lines; ) {
    const last = text.lastIndexOf(MARK, to);
    if (last < 0) break;
    const start = text.lastIndexOf("\n", last) + 1;
    // One message a line: what a line quotes further on is no second one.
    const at = text.indexOf(MARK, start);
    const after = text.slice(at, at + lineChars);
    const end = after.search(/[\r\n]/);
    found.push({
      head: at - start > headChars ? "" : text.slice(start, at),
      message: (end < 0 ? after : after.slice(0, end)).trimEnd(),
    });
    to = start - 1;
  }
  return found;
}

/** True where another program than the kernel wrote the line: it quotes one. */
function isQuoted(head: string): boolean {
  const writer = WRITER.exec(head)?.[1];
  return writer !== undefined && writer !== "kernel";
}

function gpuPlace(busId: string, mig: string | undefined, uuids: ReadonlyMap<string, string>): GpuPlace {
  return { uuid: uuids.get(busId) ?? null, mig: mig === undefined ? "" : String(Number(mig)), busId, index: null };
}

function processOf(rest: string): Pick<XidSighting, "pid" | "processName"> {
  const pid = /^pid='?(\d{1,10})'?(?:,|$)/.exec(rest)?.[1];
  const name = /(?:^|, )name=([^,]{1,60})/.exec(rest.slice(0, 120))?.[1];
  return { pid: pid ? Number(pid) : null, processName: name === "<unknown>" ? null : textOrNull(name, 60) };
}
