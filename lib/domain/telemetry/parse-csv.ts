import { ATTRIBUTES } from "./attributes";
import { METRICS, type Source } from "./catalogue";
import { type Column, CSV_LIMITS, type CsvLimits, csvLines, headerOf, withUnit } from "./csv";
import { parseIsoInstant, parseSmiTimestamp } from "./instant";
import { isSmiMessage, Problems } from "./problems";
import { missingWord } from "./quantity";
import { readGpu } from "./reading";
import type { GpuReading, Problem } from "./sample";
import { THROTTLE_REASONS } from "./throttle";

const SOURCES: readonly Source[] = [
  ...Object.values(METRICS),
  ...Object.values(ATTRIBUTES),
  ...THROTTLE_REASONS.map((reason) => reason.source),
];
/** How loggers of others call the columns. */
const ALIASES: Readonly<Record<string, string>> = {
  gpu_index: "index",
  temperature_c: "temperature.gpu",
  utilization_gpu_percent: "utilization.gpu",
  utilization_memory_percent: "utilization.memory",
  memory_used_mib: "memory.used",
  memory_total_mib: "memory.total",
  power_w: "power.draw",
};
const KNOWN: ReadonlySet<string> = new Set([...SOURCES.flatMap((source) => source.nvidiaSmi), ...Object.keys(ALIASES)]);
const IDENTITY = [ATTRIBUTES.uuid, ATTRIBUTES.busId, ATTRIBUTES.index].flatMap((source) => source.nvidiaSmi);

/** Columns that tables of anything have. */
const COMMON: ReadonlySet<string> = new Set(["timestamp", "name", "index"]);
const TELLING: ReadonlySet<string> = new Set([...KNOWN].filter((name) => !COMMON.has(name)));

/** Whether a line is the header of `nvidia-smi --query-gpu`, or of a logger like it. */
export function isQueryGpuHeader(cells: readonly string[]): boolean {
  return headerOf(cells, TELLING) !== null;
}

/** Words that mean a failure, as against a card that has no such reading. */
const FAILURES: ReadonlySet<string | null> = new Set(["unknown_error", "gpu_lost", "error", "no_permission"]);

/**
 * Reads the output of `nvidia-smi --query-gpu=… --format=csv`, with or without `nounits`: columns by name, in any number
 * and order; `guessed` are the columns of a text that begins without its header. Rows that do not say of which GPU they are count
 * as the only one of their machine, where an instant has no two. Never throws; what is no GPU becomes a problem.
 */
export function parseQueryGpu(
  text: string,
  limits: Partial<CsvLimits> = {},
  guessed: readonly Column[] | null = null,
): { readings: GpuReading[]; problems: Problem[] } {
  const { chars, rows, columns: maxColumns } = { ...CSV_LIMITS, ...limits };
  const problems = new Problems();
  const readings: GpuReading[] = [];
  if (text.length > chars) {
    problems.add("too_large", `${text.length} characters; ${chars} are read at most`);
    return { readings, problems: problems.list };
  }

  let columns = guessed && byName(guessed);
  let width = guessed?.length ?? 0;
  let line = 0;
  for (const cells of csvLines(text)) {
    line += 1;
    const first = cells[0] ?? "";
    if (cells.every((cell) => cell === "")) continue;
    if (isSmiMessage(first)) {
      problems.addSmiMessage(cells.join(", "), line);
      continue;
    }
    if (cells.length > maxColumns) {
      problems.add("too_large", `${cells.length} columns; ${maxColumns} are read at most`, line);
      continue;
    }
    const header = headerOf(cells, KNOWN);
    if (header) {
      columns = byName(header);
      width = header.length;
    } else if (columns === null) {
      noHeaderYet(problems, cells, line);
    } else if (cells.length !== width) {
      wrongWidth(problems, cells, width, line);
    } else if (
      cells.every((cell) => missingWord(cell) !== null) &&
      cells.some((cell) => FAILURES.has(missingWord(cell)))
    ) {
      problems.add(
        "failed_gpu",
        `A GPU answers ${cells.find((cell) => FAILURES.has(missingWord(cell)))} to everything`,
        line,
      );
    } else if (readings.length >= rows) {
      problems.add("too_large", `More than ${rows} rows; the rest is left out`, line);
      break;
    } else {
      const reading = readRow(cells, columns);
      if (reading === null) problems.add("no_identity", "A row without uuid, pci.bus_id or index", line);
      else {
        if (!columns.isNameless) problems.noteGpu(reading, line);
        readings.push(reading);
      }
    }
  }
  if (readings.length > 0 && columns?.isNameless) {
    const isOne = new Set(readings.map(({ at }) => at)).size === readings.length;
    const message = isOne
      ? "No column says which GPU the rows are of: they are read as those of the only one (index 0)"
      : "No column says which of the GPUs a row is of; ask nvidia-smi for uuid or index as well";
    problems.add("no_identity", message);
    if (!isOne) readings.length = 0;
  }
  if (readings.length === 0 && problems.list.length === 0) {
    problems.add("empty", columns === null ? "nvidia-smi printed nothing" : "A header without a GPU");
  }
  return { readings, problems: problems.list };
}

type Place = { at: number; unit: string | null };
type Columns = { isNameless: boolean; placesOf: (source: Source) => readonly Place[] };

/** Where the values of each source stand in a row, looked for once for all rows below the header. */
function byName(header: readonly Column[]): Columns {
  const columns = new Map<string, Place>();
  for (const [at, { name, unit }] of header.entries()) {
    const known = ALIASES[name] ?? name;
    if (!columns.has(known)) columns.set(known, { at, unit });
  }
  const found = new Map<Source, readonly Place[]>();
  const placesOf = (source: Source) => {
    const known = found.get(source);
    if (known) return known;
    const places = source.nvidiaSmi.flatMap((name) => columns.get(name) ?? []);
    found.set(source, places);
    return places;
  };
  return { isNameless: !IDENTITY.some((name) => columns.has(name)), placesOf };
}

/** Most sources of most rows: nothing is made for them. */
const NOWHERE: readonly string[] = [];

function readRow(cells: readonly string[], { placesOf, isNameless }: Columns): GpuReading | null {
  const look = (source: Source) => {
    if (source === ATTRIBUTES.index && isNameless) return ["0"];
    const places = placesOf(source);
    return places.length === 0 ? NOWHERE : places.map(({ at, unit }) => withUnit(cells[at] ?? "", unit));
  };
  const reading = readGpu(look);
  const time = look(ATTRIBUTES.timestamp)[0] ?? "";
  return reading && { ...reading, at: parseSmiTimestamp(time) ?? parseIsoInstant(time) };
}

function noHeaderYet(problems: Problems, cells: readonly string[], line: number): void {
  if (problems.has("no_header")) return;
  problems.add(
    "no_header",
    `No header line of nvidia-smi --query-gpu before "${cells.join(", ").slice(0, 80)}"; leave out the option noheader`,
    line,
  );
}

function wrongWidth(problems: Problems, cells: readonly string[], width: number, line: number): void {
  if (cells.length === 1) problems.addSmiMessage(cells[0] ?? "", line);
  else problems.add("malformed", `${cells.length} columns where the header has ${width}`, line);
}
