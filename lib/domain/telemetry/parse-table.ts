import type { Source } from "./catalogue";
import { parseSmiTimestamp } from "./instant";
import { keepProcess, processName } from "./parse-processes";
import { asSlice, BUS_ID, type Look, type ParsedPrint, PRINT_LIMITS, printLines } from "./print-lines";
import { isGpuMessage, Problems } from "./problems";
import { missingWord, parseQuantity } from "./quantity";
import { readGpu } from "./reading";
import type { GpuProcess, GpuReading } from "./sample";
import { textOrNull } from "./text";

const OPENING = /\| ?NVIDIA-SMI +\d/;
const DRIVER = /(?:Driver|KMD) Version: *([\d.]{1,20})/;
const CTIME = /(?:^|\s)([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;
const BUS = new RegExp(`(?:^|\\s)(${BUS_ID})(?:\\s|$)`);
/** The time stands right above its table. */
const TIME_REACH = 3;

const INDEX_AND_NAME = /^(\d{1,4}|N\/A|ERR!)\s+(\S.*)$/;
/** Persistence, or the driver model of Windows. */
const AFTER_NAME = /\s+(?:On|Off|Enabled|Disabled|WDDM|TCC|MCDM|N\/A|ERR!)$/;
const FAN_TO_CAP = /^(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*\/\s*(\S+)$/;
const IN_USE_OF = /^(\d+ ?MiB) ?\/ ?(\d+ ?MiB)$/;
const PROCESS =
  /^(\d{1,4})\s+(?:(?:\d+|N\/A)\s+(?:\d+|N\/A)\s+)?(\d{1,10})\s+([CGM]\+?[CGM]?)\s+(\S.{0,200}?)\s+(\d+ ?MiB|N\/A|ERR!)$/;

/** Whether a text holds the table that `nvidia-smi` alone prints. */
export function isNvidiaSmiTable(text: string): boolean {
  return OPENING.test(text);
}

/**
 * Reads the table that `nvidia-smi` alone prints, of drivers 430 to 610, wherever it stands in a text: GPUs with the few values
 * that it shows (whole watts, long names cut off, no UUID: a card is known by its place on the bus), MIG slices, and processes.
 * Never throws.
 */
export function parseNvidiaSmiTable(text: string): ParsedPrint {
  const problems = new Problems();
  if (text.length > PRINT_LIMITS.chars) {
    problems.add("too_large", `${text.length} characters; ${PRINT_LIMITS.chars} are read at most`);
    return { looks: [], problems: problems.list };
  }
  const tables: TableReader[] = [];
  let time = { at: null as number | null, line: Number.NEGATIVE_INFINITY };
  for (const [i, line] of printLines(text).entries()) {
    const ctime = line.length < 200 ? CTIME.exec(line) : null;
    if (ctime) time = { at: parseSmiTimestamp(ctime[1] ?? ""), line: i };
    const opening = OPENING.exec(line);
    if (opening) {
      if (tables.length >= PRINT_LIMITS.looks) {
        problems.add("too_large", `More than ${PRINT_LIMITS.looks} tables`, i + 1);
        break;
      }
      const at = i - time.line <= TIME_REACH ? time.at : null;
      tables.push(new TableReader(at, textOrNull(DRIVER.exec(line)?.[1]), opening.index));
    } else if (!tables.at(-1)?.take(line, i + 1) && isGpuMessage(line)) problems.addSmiMessage(line, i + 1);
  }
  const looks = tables.map((table) => table.finish(problems));
  if (looks.every(({ readings }) => readings.length === 0) && problems.list.length === 0)
    problems.add("empty", "The table of nvidia-smi lists no GPU");
  return { looks, problems: problems.list };
}

type Row = { cells: Map<string, string>; line: number };

class TableReader {
  #part: "gpus" | "slices" | "processes" = "gpus";
  readonly #rows: Row[] = [];
  readonly #slices: { index: string; instance: string; compute: string; cells: Map<string, string> }[] = [];
  readonly #processes: { index: number; process: GpuProcess }[] = [];
  #isAnswered = false;
  readonly #at: number | null;
  readonly #driver: string | null;
  readonly #column: number;

  constructor(at: number | null, driver: string | null, column: number) {
    this.#at = at;
    this.#driver = driver;
    this.#column = column;
  }

  /** False for a line that is no row. */
  take(line: string, at: number): boolean {
    // What a logger writes before a row may hold a bar of its own.
    const from = line[this.#column] === "|" ? this.#column : line.indexOf("|");
    if (from < 0 || !line.endsWith("|")) return false;
    const row = line.slice(from + 1, -1);
    const cells = row.split("|", 5).map((cell) => cell.trim());
    if (/^MIG devices:/.test(cells[0] ?? "")) this.#part = "slices";
    else if (/^Processes:/.test(cells[0] ?? "")) this.#part = "processes";
    else if (this.#part === "processes") this.#takeProcess(row.trim());
    else if (this.#part === "slices") this.#takeSlice(cells);
    else if (cells.length === 3) this.#takeGpu(cells, at);
    return true;
  }

  #takeGpu([left = "", middle = "", right = ""]: readonly string[], line: number): void {
    const busId = BUS.exec(middle)?.[1];
    const last = this.#rows.at(-1);
    if (busId !== undefined) {
      if (this.#rows.length < PRINT_LIMITS.gpus) this.#rows.push({ cells: firstRow(left, busId, right), line });
    } else if (last && !last.cells.has("pstate") && left !== "") {
      for (const [name, text] of secondRow(left, middle, right)) last.cells.set(name, text);
    } else if (last && left === "" && middle === "" && right !== "") last.cells.set("mig.mode.current", right);
  }

  #takeSlice([ids = "", memory = ""]: readonly string[]): void {
    const [, index, instance, compute] = /^(\d{1,4})\s+(\d{1,4})\s+(\d{1,4})\s+\d{1,4}$/.exec(ids) ?? [];
    if (index === undefined || instance === undefined || compute === undefined) return;
    if (this.#slices.length < PRINT_LIMITS.gpus)
      this.#slices.push({ index, instance, compute, cells: new Map(memoryCells(memory)) });
  }

  #takeProcess(row: string): void {
    if (row === "No running processes found") this.#isAnswered = true;
    const [, index, digits, , name, memory] = PROCESS.exec(row) ?? [];
    const pid = parseQuantity(digits ?? "", "count", 1, 0x7fffffff).value;
    if (pid === null || this.#processes.length >= 10_000) return;
    const usedMib = parseQuantity(memory ?? "", "mebibytes", 0, 1_000_000).value;
    this.#processes.push({
      index: Number(index),
      process: { pid, name: processName(name ?? ""), usedMib, user: null },
    });
    this.#isAnswered = true;
  }

  finish(problems: Problems): Look {
    const readings: GpuReading[] = [];
    const byIndex = new Map<number, GpuReading>();
    for (const { cells, line } of this.#rows) {
      const found = readGpu(lookIn(cells));
      if (found === null) continue;
      const card = { ...found, at: this.#at, driverVersion: this.#driver };
      problems.noteGpu(card, line);
      readings.push(card);
      if (card.index !== null) byIndex.set(card.index, card);
    }
    for (const { index, instance, compute, cells } of this.#slices) {
      const card = byIndex.get(Number(index));
      const slice =
        card && readGpu((source) => (source.nvidiaSmi.includes("uuid") ? [card.uuid] : lookIn(cells)(source)));
      if (card && slice) readings.push(asSlice(slice, card, Number(instance), Number(compute)));
    }
    const byUuid = new Map<string, GpuProcess[]>();
    for (const { index, process } of this.#processes) {
      const card = byIndex.get(index);
      if (card) keepProcess(byUuid, card.uuid, process);
    }
    const isAnswered = readings.length > 0 && this.#isAnswered;
    return { at: this.#at, readings, processes: { byUuid, isAnswered, problems: [] } };
  }
}

/** The table says a part of what `--query-gpu` says, so it is read into the same names. */
function lookIn(cells: ReadonlyMap<string, string>) {
  return (source: Source) => source.nvidiaSmi.map((name) => cells.get(name)).filter((text) => text !== undefined);
}

function firstRow(left: string, busId: string, right: string): Map<string, string> {
  const [, index = "", rest = ""] = INDEX_AND_NAME.exec(left) ?? [];
  return new Map([
    ["index", index],
    ["name", rest.replace(AFTER_NAME, "")],
    ["pci.bus_id", busId],
    // On and Off stand for the mode where there is no count.
    ["ecc.errors.uncorrected.volatile.total", /^O(?:n|ff)$/.test(right) ? "N/A" : right],
  ]);
}

function secondRow(left: string, middle: string, right: string): [string, string][] {
  const [, , temperature = "?", pstate = "?", power = "?", cap = "?"] = FAN_TO_CAP.exec(left) ?? [];
  return [
    ["temperature.gpu", temperature],
    ["pstate", pstate],
    ["power.draw", power],
    ["enforced.power.limit", cap],
    ["utilization.gpu", right.split(/\s/, 1)[0] ?? ""],
    ...memoryCells(middle),
  ];
}

/** `3MiB /  97871MiB`, and one word where there is neither. */
function memoryCells(text: string): [string, string][] {
  const [, used, total] = IN_USE_OF.exec(text.replace(/\s+/g, " ")) ?? [];
  const word = missingWord(text) === null ? "?" : text;
  return [
    ["memory.used", used ?? word],
    ["memory.total", total ?? word],
  ];
}
