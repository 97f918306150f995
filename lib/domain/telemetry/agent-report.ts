import { formatComputeApps, formatQueryGpu } from "./format-csv";
import { formatIsoInstant, parseIsoInstant } from "./instant";
import { parseQueryGpu } from "./parse-csv";
import { type ParsedProcesses, type ProcessesByUuid, parseComputeApps } from "./parse-processes";
import { parseNvidiaSmiXml } from "./parse-xml";
import { Problems } from "./problems";
import type { GpuReading, Problem } from "./sample";
import { cleanText, textOrNull } from "./text";

/*
 * The agent's report, protocol 1: a text of sections, each opened by a line that starts with `#`.
 *   #agent protocol=1 version=1.0.0 host=gh-1 interval=10 sent_at=2026-11-21T01:02:03Z [machine=… kernel=… ip=… dropped=…]
 *   #gpu at=2026-11-21T01:02:00Z      then the CSV of nvidia-smi --query-gpu
 *   #apps at=…                        then the CSV of nvidia-smi --query-compute-apps
 *   #error at=… status=9              then what nvidia-smi printed instead
 * A text without any section is one output of nvidia-smi, CSV or XML.
 */

export const PROTOCOL = 1;

/** Bounds of one body. A sender whose body passes them is refused whole, so that nothing is lost in silence. */
export const REPORT_LIMITS = { chars: 16_777_216, sections: 20_000, samples: 20_000 };

/** Who sent it. Everything but the protocol is as the sender says. */
export type AgentHeader = {
  protocol: number;
  version: string | null;
  hostname: string | null;
  intervalMs: number | null;
  sentAt: number | null;
  machine: string | null;
  kernel: string | null;
  ip: string | null;
  /** Samples that the sender's full disk buffer has thrown away, since it was installed. */
  dropped: number | null;
};

/** The GPUs of one machine at one instant. */
export type Batch = { at: number; readings: GpuReading[]; problems: Problem[] };
/** All processes of one machine at one instant; a GPU that is not in the map has none. */
export type ProcessList = { at: number; byUuid: ProcessesByUuid };
export type SmiError = { at: number; status: number; message: string };

export type Report = {
  agent: AgentHeader | null;
  batches: Batch[];
  processes: ProcessList[];
  errors: SmiError[];
  problems: Problem[];
};

type Section = { kind: string; fields: ReadonlyMap<string, string>; body: string; line: number };

/** Reads a body. Never throws. `receivedAt` is the instant of a sample that carries none. */
export function parseReport(text: string, receivedAt: number): Report {
  const report: Report = { agent: null, batches: [], processes: [], errors: [], problems: [] };
  const problems = new Problems();
  if (text.length > REPORT_LIMITS.chars) {
    problems.add("too_large", `${text.length} characters; ${REPORT_LIMITS.chars} are read at most`);
  } else {
    const sections = splitSections(text, problems);
    if (sections === null) readBare(report, text, receivedAt);
    else readSections(report, sections, receivedAt, problems);
  }
  return { ...report, problems: problems.list };
}

function readBare(report: Report, text: string, receivedAt: number): void {
  if (text.trimStart().startsWith("<")) {
    const { readings, problems, processes } = parseNvidiaSmiXml(text);
    const at = readings[0]?.at ?? receivedAt;
    report.batches.push({ at, readings: readings.map((reading) => ({ ...reading, at })), problems });
    addProcesses(report, at, processes);
    return;
  }
  const { readings, problems } = parseQueryGpu(text);
  const byInstant = new Map<number, GpuReading[]>();
  for (const reading of readings) {
    const at = reading.at ?? receivedAt;
    const group = byInstant.get(at) ?? [];
    group.push({ ...reading, at });
    byInstant.set(at, group);
  }
  for (const [at, group] of byInstant) report.batches.push({ at, readings: group, problems: [] });
  const last = report.batches.at(-1);
  if (last) last.problems = problems;
  else report.batches.push({ at: receivedAt, readings: [], problems });
}

function readSections(report: Report, sections: readonly Section[], receivedAt: number, problems: Problems): void {
  let samples = 0;
  for (const { kind, fields, body, line } of sections) {
    if (kind === "agent") {
      report.agent ??= readAgent(fields);
      if (report.agent.protocol !== PROTOCOL) {
        problems.add(
          "unsupported_protocol",
          `Protocol ${fields.get("protocol") ?? "unnamed"}; this is ${PROTOCOL}`,
          line,
        );
        return;
      }
      continue;
    }
    const at = fields.has("at") ? parseIsoInstant(fields.get("at") ?? "") : receivedAt;
    if (at === null) {
      problems.add("malformed", `#${kind} at=${fields.get("at")} is no instant such as 2026-11-21T01:02:03Z`, line);
    } else if (kind === "gpu") {
      const { readings, problems: own } = parseQueryGpu(body);
      samples += readings.length;
      if (samples > REPORT_LIMITS.samples) {
        problems.add("too_large", `More than ${REPORT_LIMITS.samples} samples`, line);
        return;
      }
      report.batches.push({ at, readings: readings.map((reading) => ({ ...reading, at })), problems: own });
    } else if (kind === "apps") {
      const processes = parseComputeApps(body);
      addProcesses(report, at, processes);
      for (const problem of processes.problems) problems.add(problem.kind, problem.message, line);
    } else if (kind === "error") {
      const status = Number.parseInt(/^\d{1,3}$/.exec(fields.get("status") ?? "")?.[0] ?? "1", 10);
      report.errors.push({ at, status, message: cleanText(body, 500) });
    } else {
      problems.add("unknown_section", `#${cleanText(kind, 40)}`, line);
    }
  }
}

function addProcesses(report: Report, at: number, { byUuid, isAnswered }: ParsedProcesses): void {
  if (isAnswered) report.processes.push({ at, byUuid });
}

/** Null when no line opens a section. What stands before the first section belongs to none and is left out. */
function splitSections(text: string, problems: Problems): Section[] | null {
  const opening = /^#([a-z]+)([^\n]*)$/gm;
  const sections: Section[] = [];
  let line = 1;
  let counted = 0;
  let bodyFrom = 0;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const last = sections.at(-1);
    if (last) last.body = text.slice(bodyFrom, match.index);
    if (sections.length >= REPORT_LIMITS.sections) {
      problems.add("too_large", `More than ${REPORT_LIMITS.sections} sections`);
      return sections;
    }
    line += newlines(text, counted, match.index);
    counted = match.index;
    bodyFrom = opening.lastIndex;
    sections.push({ kind: match[1] ?? "", fields: readFields(match[2] ?? ""), body: "", line });
  }
  const last = sections.at(-1);
  if (last) last.body = text.slice(bodyFrom);
  return sections.length === 0 ? null : sections;
}

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  for (let i = text.indexOf("\n", from); i >= 0 && i < to; i = text.indexOf("\n", i + 1)) count += 1;
  return count;
}

function readFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const word of text.slice(0, 2000).split(/\s+/)) {
    const [, key, value] = /^([a-z_]{1,20})=(.{1,200})$/u.exec(word) ?? [];
    if (key !== undefined && value !== undefined && !fields.has(key)) fields.set(key, value);
  }
  return fields;
}

function readAgent(fields: ReadonlyMap<string, string>): AgentHeader {
  const name = (key: string) => textOrNull(fields.get(key), 100);
  const digits = (key: string, max: number) => {
    const text = fields.get(key) ?? "";
    return /^\d{1,15}$/.test(text) && Number(text) <= max ? Number(text) : null;
  };
  const intervalS = digits("interval", 3600);
  return {
    protocol: digits("protocol", 1_000_000) ?? 0,
    version: name("version"),
    hostname: name("host"),
    intervalMs: intervalS === null || intervalS === 0 ? null : intervalS * 1000,
    sentAt: parseIsoInstant(fields.get("sent_at") ?? ""),
    machine: name("machine"),
    kernel: name("kernel"),
    ip: name("ip"),
    dropped: digits("dropped", Number.MAX_SAFE_INTEGER),
  };
}

/** Writes a body that `parseReport` reads back. */
export function formatReport(report: {
  agent: Pick<AgentHeader, "hostname" | "intervalMs" | "sentAt"> & Partial<AgentHeader>;
  batches?: readonly { at: number; readings: readonly GpuReading[] }[];
  processes?: readonly ProcessList[];
  errors?: readonly SmiError[];
}): string {
  const { agent, batches = [], processes = [], errors = [] } = report;
  const sentAt = agent.sentAt === null ? null : formatIsoInstant(agent.sentAt);
  const parts = [
    opening("agent", {
      protocol: agent.protocol ?? PROTOCOL,
      version: agent.version ?? null,
      host: agent.hostname,
      interval: agent.intervalMs === null ? null : Math.round(agent.intervalMs / 1000),
      sent_at: sentAt,
      machine: agent.machine ?? null,
      kernel: agent.kernel ?? null,
      ip: agent.ip ?? null,
      dropped: agent.dropped ?? null,
    }),
    ...batches.map(({ at, readings }) => opening("gpu", { at: formatIsoInstant(at) }) + formatQueryGpu(readings)),
    ...processes.map(({ at, byUuid }) => opening("apps", { at: formatIsoInstant(at) }) + formatComputeApps(byUuid)),
    ...errors.map(
      ({ at, status, message }) =>
        `${opening("error", { at: formatIsoInstant(at), status })}${message.replace(/^#/gm, " #")}\n`,
    ),
  ];
  return parts.join("");
}

function opening(kind: string, fields: Readonly<Record<string, string | number | null>>): string {
  const words = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== "")
    .map(([key, value]) => `${key}=${String(value).replace(/\s+/g, "_")}`);
  return `#${[kind, ...words].join(" ")}\n`;
}
