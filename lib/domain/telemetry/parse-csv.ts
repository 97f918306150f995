import { ATTRIBUTES } from "./attributes";
import { METRICS, type Source } from "./catalogue";
import { type Column, CSV_LIMITS, type CsvLimits, csvLines, headerOf, withUnit } from "./csv";
import { parseSmiTimestamp } from "./instant";
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
const KNOWN: ReadonlySet<string> = new Set(SOURCES.flatMap((source) => source.nvidiaSmi));

/** Words that mean a failure, as against a card that has no such reading. */
const FAILURES: ReadonlySet<string | null> = new Set(["unknown_error", "gpu_lost", "error", "no_permission"]);

/**
 * Reads the output of `nvidia-smi --query-gpu=… --format=csv`, with or without `nounits`: columns by name, in any number
 * and order. Never throws; what is no GPU becomes a problem.
 */
export function parseQueryGpu(
  text: string,
  limits: Partial<CsvLimits> = {},
): { readings: GpuReading[]; problems: Problem[] } {
  const { chars, rows, columns: maxColumns } = { ...CSV_LIMITS, ...limits };
  const problems = new Problems();
  const readings: GpuReading[] = [];
  if (text.length > chars) {
    problems.add("too_large", `${text.length} characters; ${chars} are read at most`);
    return { readings, problems: problems.list };
  }

  let columns: Map<string, { at: number; unit: string | null }> | null = null;
  let width = 0;
  for (const [i, cells] of csvLines(text).entries()) {
    const line = i + 1;
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
        problems.noteGpu(reading, line);
        readings.push(reading);
      }
    }
  }
  if (readings.length === 0 && problems.list.length === 0) {
    problems.add("empty", columns === null ? "nvidia-smi printed nothing" : "A header without a GPU");
  }
  return { readings, problems: problems.list };
}

function byName(header: readonly Column[]): Map<string, { at: number; unit: string | null }> {
  const columns = new Map<string, { at: number; unit: string | null }>();
  for (const [at, { name, unit }] of header.entries()) {
    if (!columns.has(name)) columns.set(name, { at, unit });
  }
  return columns;
}

function readRow(
  cells: readonly string[],
  columns: ReadonlyMap<string, { at: number; unit: string | null }>,
): GpuReading | null {
  const look = (source: Source) => {
    const found: string[] = [];
    for (const name of source.nvidiaSmi) {
      const column = columns.get(name);
      if (column !== undefined) found.push(withUnit(cells[column.at] ?? "", column.unit));
    }
    return found;
  };
  const reading = readGpu(look);
  return reading && { ...reading, at: parseSmiTimestamp(look(ATTRIBUTES.timestamp)[0] ?? "") };
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
