import { formatProbes, isProbe, newestFacts, readProbe, readProcessList } from "./agent-probes";
import { formatComputeApps, formatQueryGpu } from "./format-csv";
import { formatIsoInstant, parseIsoInstant } from "./instant";
import { parseQueryGpu } from "./parse-csv";
import { type ParsedProcesses, parseComputeApps } from "./parse-processes";
import { readPrint } from "./print";
import { Problems } from "./problems";
import { type AgentHeader, emptyReport, type HostFacts, type ProcessList, type Report, type SmiError } from "./report";
import type { GpuReading } from "./sample";
import { cleanText, textOrNull } from "./text";

/*
 * The agent's report: a text of sections, each opened by a line that starts with `#`.
 *   #agent protocol=2 version=2.0.0 host=gh-1 interval=10 sent_at=2026-11-21T01:02:03Z [machine=… kernel=… ip=… dropped=…]
 *   #gpu at=2026-11-21T01:02:00Z      then the CSV of nvidia-smi --query-gpu
 *   #apps at=…                        then the CSV of nvidia-smi --query-compute-apps
 *   #error at=… status=9              then what nvidia-smi printed instead
 * Protocol 2 adds a user to each process, and the sections of lib/domain/telemetry/agent-probes. A section that is not known
 * is named and left out, so that probes can be added; a protocol that is not known is not read at all.
 * A text without any section is a print of nvidia-smi or of another program of the machine (lib/domain/telemetry/print).
 */

/** What today's agent speaks; older ones are read as ever. */
export const PROTOCOL = 2;

/** Bounds of one body. A sender whose body passes them is refused whole, so that nothing is lost in silence. */
export const REPORT_LIMITS = { chars: 16_777_216, sections: 20_000, samples: 20_000, sightings: 20_000 };

type Section = { kind: string; fields: ReadonlyMap<string, string>; body: string; line: number };

/** Reads a body. Never throws. `receivedAt` is the instant of a sample that carries none. */
export function parseReport(text: string, receivedAt: number): Report {
  const report = emptyReport();
  const problems = new Problems();
  if (text.length > REPORT_LIMITS.chars) {
    problems.add("too_large", `${text.length} characters; ${REPORT_LIMITS.chars} are read at most`);
  } else {
    const sections = splitSections(text, problems);
    if (sections === null) {
      const { format: _, ...print } = readPrint(text, receivedAt);
      return print;
    }
    readSections(report, sections, receivedAt, problems);
  }
  return { ...report, problems: problems.list };
}

function readSections(report: Report, sections: readonly Section[], receivedAt: number, problems: Problems): void {
  let samples = 0;
  for (const { kind, fields, body, line } of sections) {
    if (kind === "agent") {
      report.agent ??= readAgent(fields);
      if (report.agent.protocol < 1 || report.agent.protocol > PROTOCOL) {
        const said = cleanText(fields.get("protocol") ?? "unnamed", 40);
        problems.add("unsupported_protocol", `Protocol ${said}; 1 to ${PROTOCOL} are read here`, line);
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
      const { processes, facts } = hasProbes(report)
        ? readProcessList(body, at)
        : { processes: parseComputeApps(body), facts: {} };
      addProcesses(report, at, processes);
      report.facts = newestFacts(report.facts, facts);
      for (const problem of processes.problems) problems.add(problem.kind, problem.message, line);
    } else if (kind === "error") {
      const status = Number.parseInt(/^\d{1,3}$/.exec(fields.get("status") ?? "")?.[0] ?? "1", 10);
      report.errors.push({ at, status, message: cleanText(body, 500) });
    } else if (isProbe(kind) && hasProbes(report)) {
      const { facts, sightings, leftOut } = readProbe(kind, fields, body, at, receivedAt);
      report.facts = newestFacts(report.facts, facts);
      const taken = sightings.slice(0, REPORT_LIMITS.sightings - report.sightings.length);
      report.sightings.push(...taken);
      const lost = leftOut + sightings.length - taken.length;
      if (lost > 0) problems.add("left_out", `${lost} lines of the kernel's log were too many`, line);
    } else {
      problems.add("unknown_section", `#${cleanText(kind, 40)}`, line);
    }
  }
}

/** A text without a header is of today. */
function hasProbes({ agent }: Report): boolean {
  return (agent?.protocol ?? PROTOCOL) >= 2;
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
  facts?: HostFacts;
}): string {
  const { agent, batches = [], processes = [], errors = [], facts = {} } = report;
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
    formatProbes(facts),
  ];
  return parts.join("");
}

function opening(kind: string, fields: Readonly<Record<string, string | number | null>>): string {
  const words = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== "")
    .map(([key, value]) => `${key}=${String(value).replace(/\s+/g, "_")}`);
  return `#${[kind, ...words].join(" ")}\n`;
}
