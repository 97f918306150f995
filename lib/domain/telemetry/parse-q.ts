import { ATTRIBUTES } from "./attributes";
import { parseSmiTimestamp } from "./instant";
import { keepProcess, processName } from "./parse-processes";
import { asSlice, BUS_ID, type Look, type ParsedPrint, PRINT_LIMITS, printLines } from "./print-lines";
import { isGpuMessage, Problems } from "./problems";
import { parseQuantity } from "./quantity";
import { type Lookup, readGpu } from "./reading";
import type { GpuProcess, GpuReading } from "./sample";
import { textOrNull } from "./text";

const OPENING = /=+ ?NVSMI LOG ?=+$/;
const HEAD = /(?:^|\s)(Timestamp|Driver Version|Attached GPUs) {1,60}: (.{1,60})$/;
const GPU = new RegExp(`(?:^|[\\s|>:])GPU (${BUS_ID})$`);
/** Sections go five deep. */
const DEEPEST = 12;
/** A GPU has about 300 lines, without its processes. */
const MOST_FACTS = 5000;

type Facts = Map<string, string>;
type Process = { pid: number; name: string | null; usedMib: number | null };

/** What stands below one `GPU 00000000:…`: values by path, in lower case since drivers differ, its slices and processes. */
type Block = { facts: Facts; slices: Facts[]; processes: Process[]; line: number };
type Log = { head: Map<string, string>; blocks: Block[] };

/** Whether a text holds what `nvidia-smi -q` prints. */
export function isNvidiaSmiQ(text: string): boolean {
  return /=NVSMI LOG=/.test(text) || new RegExp(`^[ \\t]{0,80}GPU ${BUS_ID}[ \\t]*\\r?\\n[ \\t]+\\S`, "m").test(text);
}

/**
 * Reads what `nvidia-smi -q` prints, whole or with `-d`, wherever it stands in a text: each GPU, then its MIG slices as readings
 * of their own, and the processes. Sections are told apart by their indent, so that the GPU's power is never that of its memory
 * or its module. Never throws.
 */
export function parseNvidiaSmiQ(text: string): ParsedPrint {
  const problems = new Problems();
  if (text.length > PRINT_LIMITS.chars) {
    problems.add("too_large", `${text.length} characters; ${PRINT_LIMITS.chars} are read at most`);
    return { looks: [], problems: problems.list };
  }
  const logs = readLogs(text, problems);
  const looks = logs.map((log) => readLog(log, problems));
  if (looks.every(({ readings }) => readings.length === 0) && problems.list.length === 0)
    problems.add("empty", "The log of nvidia-smi lists no GPU");
  return { looks, problems: problems.list };
}

function readLog({ head, blocks }: Log, problems: Problems): Look {
  const at = parseSmiTimestamp(head.get("Timestamp") ?? "");
  const driverVersion = textOrNull(head.get("Driver Version"));
  // With `-i` the log lists fewer than are attached, and a place in it is no index.
  const isWhole = head.get("Attached GPUs") === String(blocks.length);
  const readings: GpuReading[] = [];
  const byUuid = new Map<string, GpuProcess[]>();
  let silentCards = 0;
  for (const [i, block] of blocks.entries()) {
    const found = readGpu(lookIn(block.facts));
    if (found === null) {
      problems.add("no_identity", `GPU ${i + 1} of the list has neither UUID nor bus id`, block.line);
      continue;
    }
    const minor = parseQuantity(lookIn(block.facts)(ATTRIBUTES.minorNumber)[0] ?? "", "count", 0, 1023).value;
    const card = { ...found, at, driverVersion, index: isWhole ? i : minor };
    for (const reading of [card, ...readSlices(block, card)]) {
      problems.noteGpu(reading, block.line);
      readings.push(reading);
    }
    if (block.facts.get("processes") !== "None" && block.processes.length === 0) silentCards += 1;
    for (const process of block.processes) keepProcess(byUuid, card.uuid, { ...process, user: null });
  }
  const isAnswered = readings.length > 0 && silentCards === 0;
  return { at, readings, processes: { byUuid, isAnswered, problems: [] } };
}

function readSlices({ slices }: Block, card: GpuReading): GpuReading[] {
  return slices.slice(0, PRINT_LIMITS.slicesPerGpu).flatMap((facts) => {
    const number = (path: string) => parseQuantity(facts.get(path) ?? "", "count", 0, 1023).value;
    const instance = number("gpu instance id");
    const look = lookIn(facts);
    const slice = readGpu((source) => (source === ATTRIBUTES.uuid ? [card.uuid] : look(source)));
    if (instance === null || slice === null) return [];
    return [asSlice(slice, card, instance, number("compute instance id") ?? 0)];
  });
}

function lookIn(facts: Facts): Lookup {
  return ({ query }) => query.map((path) => facts.get(path.toLowerCase())).filter((value) => value !== undefined);
}

function readLogs(text: string, problems: Problems): Log[] {
  const lines = printLines(text);
  const logs: Log[] = [];
  let log: Log = { head: new Map(), blocks: [] };
  let reader: BlockReader | null = null;
  let count = 0;
  const begin = () => {
    reader = null;
    log = { head: new Map(), blocks: [] };
    logs.push(log);
  };
  logs.push(log);
  for (const [i, line] of lines.entries()) {
    if (line === "") continue;
    const gpu = GPU.exec(line);
    if (gpu) {
      count += 1;
      if (count > PRINT_LIMITS.gpus) {
        problems.add("too_large", `More than ${PRINT_LIMITS.gpus} GPUs`, i + 1);
        break;
      }
      const block: Block = { facts: new Map([["@", gpu[1] ?? ""]]), slices: [], processes: [], line: i + 1 };
      log.blocks.push(block);
      reader = new BlockReader(block, line.lastIndexOf("GPU "));
      continue;
    }
    if (OPENING.test(line)) {
      if (log.blocks.length > 0) begin();
      log.head.clear();
      continue;
    }
    // A number that the end of the text may have cut short is none.
    const isCut = i === lines.length - 1 && /\d$/.test(line);
    if (isCut) problems.add("truncated", "The text ends in the middle of a line", i + 1);
    else if (reader?.take(line)) continue;
    const [, key, value] = HEAD.exec(line) ?? [];
    if (key !== undefined && value !== undefined) {
      if (key === "Timestamp" && log.blocks.length > 0) begin();
      if (log.blocks.length === 0) log.head.set(key, value.trim());
    } else if (isGpuMessage(line)) problems.addSmiMessage(line, i + 1);
    if (reader?.isOver) reader = null;
  }
  return logs.filter(({ blocks }) => blocks.length > 0).slice(0, PRINT_LIMITS.looks);
}

class BlockReader {
  /** Two lines of something else end the block; one may have slipped in from another stream. */
  isOver = false;
  #foreign = 0;
  #above: { indent: number; key: string }[] = [];
  readonly #block: Block;
  readonly #column: number;

  constructor(block: Block, column: number) {
    this.#block = block;
    this.#column = column;
  }

  /** False where a line is not of this GPU. */
  take(line: string): boolean {
    const own = line.slice(this.#column);
    const key = own.trimStart();
    const indent = own.length - key.length;
    if (indent === 0 || key === "") {
      this.#foreign += 1;
      this.isOver = this.#foreign > 1;
      return false;
    }
    this.#foreign = 0;
    const colon = key.indexOf(":");
    const name = (colon < 0 ? key : key.slice(0, colon)).trim().toLowerCase();
    const value = colon < 0 ? "" : key.slice(colon + 1).trim();
    while ((this.#above.at(-1)?.indent ?? -1) >= indent) this.#above.pop();
    if (this.#above.length < DEEPEST) this.#keep(name, value, indent);
    return true;
  }

  #keep(name: string, value: string, indent: number): void {
    const { facts, slices, processes } = this.#block;
    const top = this.#above[0]?.key ?? name;
    this.#above.push({ indent, key: name });
    if (top.startsWith("mig device")) {
      const isHeading = this.#above.length === 1 && value === "";
      if (isHeading || (name === "index" && slices.at(-1)?.has("index"))) slices.push(new Map());
      const path = this.#above.slice(1).map((one) => one.key);
      if (value !== "" && slices.length <= PRINT_LIMITS.slicesPerGpu) put(slices.at(-1), path.join("/"), value);
      return;
    }
    if (top === "processes" && this.#above.length > 1) {
      readProcess(processes, name, value);
      return;
    }
    if (value !== "") put(facts, this.#above.map((one) => one.key).join("/"), value);
  }
}

/** The first line of a path counts. */
function put(facts: Facts | undefined, path: string, value: string): void {
  if (facts && facts.size < MOST_FACTS && !facts.has(path)) facts.set(path, value);
}

function readProcess(processes: Process[], name: string, value: string): void {
  if (name === "process id") {
    const pid = parseQuantity(value, "count", 1, 0x7fffffff).value;
    if (pid !== null) processes.push({ pid, name: null, usedMib: null });
    return;
  }
  const last = processes.at(-1);
  if (!last) return;
  if (name === "name") last.name ??= processName(value);
  else if (name === "used gpu memory") last.usedMib ??= parseQuantity(value, "mebibytes", 0, 1_000_000).value;
}
