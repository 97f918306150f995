import { parseKernelLog } from "@/lib/domain/xid/kernel-log";
import { CSV_LIMITS, csvLines } from "./csv";
import { parseMetricsPage } from "./from-metrics";
import { guessColumns } from "./guess-columns";
import { isQueryGpuHeader, parseQueryGpu } from "./parse-csv";
import { isComputeAppsHeader, parseComputeApps } from "./parse-processes";
import { isNvidiaSmiQ, parseNvidiaSmiQ } from "./parse-q";
import { isNvidiaSmiTable, parseNvidiaSmiTable } from "./parse-table";
import { parseNvidiaSmiXml, XML_LIMITS } from "./parse-xml";
import { type Look, PRINT_LIMITS } from "./print-lines";
import { isGpuMessage, isSmiMessage, Problems } from "./problems";
import { emptyReport, type Report } from "./report";
import type { GpuReading, Problem } from "./sample";

/** Whose words a text is, as a person would say it. */
export type PrintFormat =
  | "nvidia-smi --query-gpu"
  | "nvidia-smi --query-compute-apps"
  | "nvidia-smi -q -x"
  | "nvidia-smi -q"
  | "nvidia-smi"
  | "nvidia-smi -L"
  | "nvidia-smi dmon"
  | "nvidia-smi pmon"
  | "message of nvidia-smi"
  | "kernel log"
  | "metrics page"
  | "unknown";

export type Print = Report & { format: PrintFormat };

/** Bounds of a whole log of `--query-gpu -l`. */
const LOG_LIMITS = { chars: PRINT_LIMITS.chars, rows: 20_000, columns: CSV_LIMITS.columns };
const MOST_CHARS = 16_777_216;
/** The kind of a text shows early. */
const HEAD_CHARS = 65_536;

const READ_HERE =
  "nvidia-smi (the table, -q, -q -x, --query-gpu and --query-compute-apps as CSV), the kernel's log, Prometheus and OpenMetrics text, and the agent's report";

/**
 * Reads one text of a machine, whatever printed it, told by its content. Never throws; what nobody here knows becomes a problem.
 * `receivedAt` is the instant of what carries none.
 */
export function readPrint(text: string, receivedAt: number): Print {
  const print = readKnown(text, receivedAt);
  if (print.format === "metrics page" || !text.includes("NVRM: ")) return print;
  // A bug report holds the kernel's log beside the print.
  return { ...print, sightings: parseKernelLog(text, receivedAt) };
}

function readKnown(text: string, receivedAt: number): Print {
  if (text.length > MOST_CHARS) {
    const message = `${text.length} characters; ${MOST_CHARS} are read at most`;
    return trouble("unknown", receivedAt, { kind: "too_large", message, line: null });
  }
  const start = text.search(/\S/);
  if (start < 0) return trouble("unknown", receivedAt, { kind: "empty", message: "The text is empty", line: null });
  const head = text.slice(start, start + HEAD_CHARS);
  const isXml = text.includes("<nvidia_smi_log");
  if (isXml || head.startsWith("<"))
    return fromLooks(isXml ? "nvidia-smi -q -x" : "unknown", receivedAt, readXmls(text));
  if (isNvidiaSmiQ(text)) return fromLooks("nvidia-smi -q", receivedAt, parseNvidiaSmiQ(text));
  if (isNvidiaSmiTable(text)) return fromLooks("nvidia-smi", receivedAt, parseNvidiaSmiTable(text));
  const monitor = /^# ?gpu +(pid|pwr|gtemp|sm|fb|rxpci|pviol|ecc)\b/m.exec(head);
  if (monitor) return refuseMonitor(monitor[1] === "pid" ? "pmon" : "dmon", receivedAt);
  if (/^ {0,8}GPU \d{1,4}: .{1,200}\(UUID: GPU-/m.test(head)) return refuseList(receivedAt);
  if (/^.{0,400}NVRM: |^\d{1,3},\d{1,20},\d{1,20},[-,\w]{1,40};|^\[ {0,8}\d{1,10}\.\d{6}\] /m.test(head))
    return { ...emptyReport(), format: "kernel log" };
  if (isMetricsPage(head)) return readMetrics(text, receivedAt);
  return readCsv(text, receivedAt);
}

function isMetricsPage(head: string): boolean {
  if (/^# (?:HELP|TYPE|UNIT|EOF)\b/m.test(head)) return true;
  const line = /^(?!#)\S.{0,4000}$/m.exec(head)?.[0] ?? "";
  return /^[a-zA-Z_:][\w:]*(?:\{.*\})?[ \t]+[-+]?(?:\d|\.\d|Inf|NaN|inf|nan)[\w.+-]*(?:[ \t]+-?[\d.]+)?$/.test(line);
}

function readMetrics(text: string, receivedAt: number): Print {
  const { batches, problems, sightings, labelled, processes } = parseMetricsPage(text, receivedAt, {
    isForgiving: true,
  });
  return { ...emptyReport(), batches, problems, sightings, labelled, processes, format: "metrics page" };
}

/** A loop of `-q -x` prints one document after the other. */
function readXmls(text: string): { looks: Look[]; problems: Problem[] } {
  const END = "</nvidia_smi_log>";
  const looks: Look[] = [];
  const problems = new Problems();
  if (text.length > XML_LIMITS.chars)
    problems.add("too_large", `${text.length} characters; ${XML_LIMITS.chars} are read at most`);
  for (let from = 0; problems.list.length === 0 && from < text.length; ) {
    const end = text.indexOf(END, from);
    const part = text.slice(from, end < 0 ? text.length : end + END.length);
    if (looks.length > 0 && !part.includes("<nvidia_smi_log")) break;
    from += part.length;
    const opening = part.search(/<\?xml|<!DOCTYPE|<nvidia_smi_log/);
    const { readings, problems: own, processes } = parseNvidiaSmiXml(opening < 0 ? part : part.slice(opening));
    for (const { kind, message, line } of own) problems.add(kind, message, line);
    looks.push({ at: readings[0]?.at ?? null, readings, processes });
    if (looks.length >= PRINT_LIMITS.looks) break;
  }
  return { looks, problems: problems.list };
}

function readCsv(text: string, receivedAt: number): Print {
  if (text.length > LOG_LIMITS.chars) {
    const message = `${text.length} characters; ${LOG_LIMITS.chars} are read at most`;
    return trouble("unknown", receivedAt, { kind: "too_large", message, line: null });
  }
  const rows = [...csvLines(text.slice(0, HEAD_CHARS))].filter((cells) => cells.some((cell) => cell !== ""));
  const apps = rows.findIndex(isComputeAppsHeader);
  const gpus = rows.findIndex(isQueryGpuHeader);
  if (gpus >= 0 && (apps < 0 || gpus < apps))
    return fromRows("nvidia-smi --query-gpu", receivedAt, parseQueryGpu(text, LOG_LIMITS));
  if (apps >= 0) {
    const processes = parseComputeApps(text);
    return fromLooks("nvidia-smi --query-compute-apps", receivedAt, {
      looks: [{ at: null, readings: [], processes }],
      problems: processes.problems,
    });
  }
  const first = rows[0]?.join(", ") ?? "";
  if (rows.length <= 20 && rows.some(([cell = ""]) => isGpuMessage(cell)))
    return fromRows("message of nvidia-smi", receivedAt, parseQueryGpu(text, LOG_LIMITS));
  const guess = guessColumns(rows.slice(0, -1).length > 0 && !text.endsWith("\n") ? rows.slice(0, -1) : rows);
  if (guess) return readGuessed(text, receivedAt, guess);
  if (isSmiMessage(first)) return fromRows("message of nvidia-smi", receivedAt, parseQueryGpu(text, LOG_LIMITS));
  const { problems } = parseQueryGpu(text.slice(0, HEAD_CHARS), LOG_LIMITS);
  const width = rows[0]?.length ?? 0;
  const isList = width > 1 && rows.slice(0, -1).every((cells) => cells.length === width);
  const unknown = {
    kind: "unknown_format" as const,
    message: `"${first.slice(0, 80)}" is not recognised. Read here are ${READ_HERE}`,
    line: 1,
  };
  return trouble("unknown", receivedAt, ...(isList ? problems : []), unknown);
}

function readGuessed(text: string, receivedAt: number, guess: NonNullable<ReturnType<typeof guessColumns>>): Print {
  const print = fromRows("nvidia-smi --query-gpu", receivedAt, parseQueryGpu(text, LOG_LIMITS, guess.columns));
  const read = guess.columns.flatMap(({ name }, at) => (name === "" ? [] : [`${at + 1} (${name})`]));
  const open = guess.unread.length > 0 ? `; ${guess.unread.join(", ")} could be several and are left out` : "";
  const message = `No header line: columns ${read.join(", ")} are told by what they hold${open}. Leave out the option noheader`;
  return { ...print, problems: [{ kind: "no_header", message, line: 1 }, ...print.problems] };
}

function refuseMonitor(which: "dmon" | "pmon", receivedAt: number): Print {
  const message = `nvidia-smi ${which} prints neither time nor UUID, so its rows are not kept; send --query-gpu${
    which === "pmon" ? " and --query-compute-apps" : ""
  } with --format=csv`;
  return trouble(`nvidia-smi ${which}`, receivedAt, { kind: "unknown_format", message, line: 1 });
}

function refuseList(receivedAt: number): Print {
  const message = "nvidia-smi -L names the GPUs and says nothing of what they do; send nvidia-smi -q or --query-gpu";
  return trouble("nvidia-smi -L", receivedAt, { kind: "unknown_format", message, line: 1 });
}

/** Problems stand with the last batch, which is the print's own. */
function trouble(format: PrintFormat, at: number, ...problems: Problem[]): Print {
  return { ...emptyReport(), batches: [{ at, readings: [], problems }], format };
}

function fromLooks(format: PrintFormat, receivedAt: number, print: { looks: Look[]; problems: Problem[] }): Print {
  const report = emptyReport();
  for (const { at: ownAt, readings, processes } of print.looks) {
    const at = ownAt ?? receivedAt;
    if (readings.length > 0)
      report.batches.push({ at, readings: readings.map((reading) => ({ ...reading, at })), problems: [] });
    if (processes.isAnswered) report.processes.push({ at, byUuid: processes.byUuid });
  }
  return withProblems({ ...report, format }, receivedAt, print.problems);
}

function fromRows(
  format: PrintFormat,
  receivedAt: number,
  { readings, problems }: { readings: GpuReading[]; problems: Problem[] },
): Print {
  const report = emptyReport();
  const byInstant = new Map<number, GpuReading[]>();
  for (const reading of readings) {
    const at = reading.at ?? receivedAt;
    const group = byInstant.get(at) ?? [];
    group.push({ ...reading, at });
    byInstant.set(at, group);
  }
  for (const [at, group] of byInstant) report.batches.push({ at, readings: group, problems: [] });
  return withProblems({ ...report, format }, receivedAt, problems);
}

function withProblems(print: Print, receivedAt: number, problems: Problem[]): Print {
  const last = print.batches.at(-1);
  if (last) last.problems = problems;
  else if (problems.length > 0 || print.processes.length === 0)
    print.batches.push({ at: receivedAt, readings: [], problems });
  return print;
}
