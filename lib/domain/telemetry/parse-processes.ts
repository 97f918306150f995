import { type Column, CSV_LIMITS, csvLines, headerOf, withUnit } from "./csv";
import { isSmiMessage, Problems } from "./problems";
import { missingWord, parseQuantity } from "./quantity";
import type { GpuProcess, Problem } from "./sample";
import { textOrNull } from "./text";

/** Processes by GPU UUID. A GPU that has none is not mentioned. */
export type ProcessesByUuid = ReadonlyMap<string, readonly GpuProcess[]>;

/** `isAnswered`: nvidia-smi listed the processes, if only to say that there are none. Without it, nothing is known. */
export type ParsedProcesses = { byUuid: ProcessesByUuid; isAnswered: boolean; problems: Problem[] };

/** More processes of one GPU are left out. */
export const MAX_PROCESSES = 64;
const MAX_GPUS = 256;

const UUID = ["gpu_uuid"];
const PID = ["pid"];
const NAME = ["process_name", "name"];
const MEMORY = ["used_gpu_memory", "used_memory"];
/** A column that our agent adds. */
const USER = ["user"];
const KNOWN: ReadonlySet<string> = new Set([...UUID, ...PID]);

export function isComputeAppsHeader(cells: readonly string[]): boolean {
  return headerOf(cells, new Set(PID)) !== null;
}

/** Reads `nvidia-smi --query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory --format=csv`, with any further columns. */
export function parseComputeApps(text: string): ParsedProcesses {
  const problems = new Problems();
  const byUuid = new Map<string, GpuProcess[]>();
  if (text.length > CSV_LIMITS.chars) {
    problems.add("too_large", `${text.length} characters; ${CSV_LIMITS.chars} are read at most`);
    return { byUuid, isAnswered: false, problems: problems.list };
  }

  let header: Column[] | null = null;
  let line = 0;
  for (const cells of csvLines(text)) {
    line += 1;
    if (cells.every((cell) => cell === "")) continue;
    const columns = headerOf(cells, KNOWN);
    if (columns) header = columns;
    else if (isSmiMessage(cells[0] ?? "")) problems.addSmiMessage(cells.join(", "), line);
    else if (header === null) {
      problems.add("no_header", "No header line of nvidia-smi --query-compute-apps", line);
      break;
    } else if (!addProcess(byUuid, header, cells)) problems.add("malformed", "A line that is no process", line);
  }
  return { byUuid, isAnswered: header !== null, problems: problems.list };
}

function addProcess(byUuid: Map<string, GpuProcess[]>, header: readonly Column[], cells: readonly string[]): boolean {
  const find = (names: readonly string[]) => header.findIndex((column) => names.includes(column.name));
  const nameAt = find(NAME);
  const surplus = cells.length - header.length;
  if (surplus < 0 || (surplus > 0 && nameAt < 0)) return false;

  // A comma in a process name makes cells too many; they belong to the name.
  const cell = (at: number) => (at < 0 ? "" : (cells[nameAt >= 0 && at > nameAt ? at + surplus : at] ?? ""));
  const name = nameAt < 0 ? "" : cells.slice(nameAt, nameAt + surplus + 1).join(", ");

  const uuid = textOrNull(cell(find(UUID)), 120);
  const pid = parseQuantity(cell(find(PID)), "count", 1, 0x7fffffff).value;
  if (uuid === null || missingWord(uuid) !== null || pid === null) return false;
  const memoryAt = find(MEMORY);
  const usedMib = parseQuantity(withUnit(cell(memoryAt), header[memoryAt]?.unit ?? null), "mebibytes", 0, 1_000_000);
  const user = processName(cell(find(USER)));
  keepProcess(byUuid, uuid, { pid, name: processName(name), usedMib: usedMib.value, user });
  return true;
}

/** Adds a process to its GPU, within the bounds. */
export function keepProcess(byUuid: Map<string, GpuProcess[]>, uuid: string, process: GpuProcess): void {
  const list = byUuid.get(uuid);
  if (list) {
    if (list.length < MAX_PROCESSES) list.push(process);
  } else if (byUuid.size < MAX_GPUS) {
    byUuid.set(uuid, [process]);
  }
}

/** Null for nvidia-smi's words in place of a name, such as `[Not Found]` for a process that has just ended. */
export function processName(text: string): string | null {
  return missingWord(text) === null ? textOrNull(text) : null;
}
