import { XMLParser } from "fast-xml-parser";
import { ATTRIBUTES } from "./attributes";
import type { Source } from "./catalogue";
import { parseSmiTimestamp } from "./instant";
import { keepProcess, type ParsedProcesses, processName } from "./parse-processes";
import { isSmiMessage, Problems } from "./problems";
import { parseQuantity } from "./quantity";
import { type Lookup, readGpu } from "./reading";
import type { GpuProcess, GpuReading, Problem } from "./sample";
import { textOrNull } from "./text";

/** Bounds of one XML output; eight GPUs with their clock tables are about 0.5 MiB. */
export const XML_LIMITS = { chars: 4_194_304, gpus: 256, slicesPerGpu: 64 };

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  processEntities: false,
  maxNestedTags: 32,
  stopNodes: ["*.supported_clocks"],
});

type Node = { [tag: string]: unknown };

export type ParsedXml = { readings: GpuReading[]; problems: Problem[]; processes: ParsedProcesses };

/**
 * Reads `nvidia-smi -q -x`, formats v10 to v13: each GPU, then its MIG slices as readings of their own, and the processes.
 * Never throws; entities and inner DTDs are not read.
 */
export function parseNvidiaSmiXml(text: string): ParsedXml {
  const problems = new Problems();
  const readings: GpuReading[] = [];
  const byUuid = new Map<string, GpuProcess[]>();
  let silentCards = 0;
  const log = parseLog(text, problems);
  if (log !== null) {
    const at = parseSmiTimestamp(leaf(log, "timestamp") ?? "");
    const driverVersion = textOrNull(leaf(log, "driver_version"));
    const gpus = children(log, "gpu");
    const isWhole = leaf(log, "attached_gpus") === String(gpus.length);
    if (gpus.length > XML_LIMITS.gpus) problems.add("too_large", `More than ${XML_LIMITS.gpus} GPUs`);
    for (const [i, gpu] of gpus.slice(0, XML_LIMITS.gpus).entries()) {
      const card = readCard(gpu, isWhole ? i : null);
      if (card === null) {
        problems.add("no_identity", `GPU ${i + 1} of the list has neither UUID nor bus id`);
        continue;
      }
      const cards = [card, ...readSlices(gpu, card)].map((reading) => ({ ...reading, at, driverVersion }));
      for (const reading of cards) {
        problems.noteGpu(reading, null);
        readings.push(reading);
      }
      if (!readProcesses(gpu, card.uuid, byUuid)) silentCards += 1;
    }
    if (readings.length === 0 && problems.list.length === 0) problems.add("empty", "The XML lists no GPU");
  }
  const isAnswered = readings.length > 0 && silentCards === 0;
  return { readings, problems: problems.list, processes: { byUuid, isAnswered, problems: [] } };
}

function parseLog(text: string, problems: Problems): Node | null {
  const trimmed = text.trim();
  if (text.length > XML_LIMITS.chars) {
    problems.add("too_large", `${text.length} characters; ${XML_LIMITS.chars} are read at most`);
    return null;
  }
  if (trimmed === "") {
    problems.add("empty", "nvidia-smi printed nothing");
    return null;
  }
  if (!trimmed.startsWith("<")) {
    const lines = trimmed.split(/[\r\n]+/).slice(0, 5);
    if (isSmiMessage(lines[0] ?? "")) for (const [i, line] of lines.entries()) problems.addSmiMessage(line, i + 1);
    else problems.add("not_xml", `Not XML: "${trimmed.slice(0, 80)}"`, 1);
    return null;
  }
  if (/<!(ENTITY|ELEMENT|ATTLIST|NOTATION)/i.test(trimmed)) {
    problems.add("not_xml", "XML with definitions of its own is not read");
    return null;
  }
  try {
    const log = child(asNode(parser.parse(trimmed)), "nvidia_smi_log");
    if (log === null) problems.add("not_xml", "No <nvidia_smi_log>: not the output of nvidia-smi -q -x");
    else if (!trimmed.includes("</nvidia_smi_log>")) problems.add("truncated", "The XML ends before </nvidia_smi_log>");
    return log;
  } catch (error) {
    problems.add("not_xml", `Not well-formed XML: ${error instanceof Error ? error.message : "unreadable"}`);
    return null;
  }
}

/** `position` is the place in a complete list, which nvidia-smi orders by index. */
function readCard(gpu: Node, position: number | null): GpuReading | null {
  const card = readGpu(lookIn(gpu));
  const minor = parseQuantity(leaf(gpu, ATTRIBUTES.minorNumber.xml[0]) ?? "", "count", 0, 1023).value;
  return card && { ...card, index: position ?? minor };
}

/** A slice has memory of its own; what it does not report (power, temperature, clocks) belongs to the whole card. */
function readSlices(gpu: Node, card: GpuReading): GpuReading[] {
  const slices: GpuReading[] = [];
  const devices = child(gpu, "mig_devices");
  for (const device of devices === null ? [] : children(devices, "mig_device").slice(0, XML_LIMITS.slicesPerGpu)) {
    const instance = parseQuantity(leaf(device, "gpu_instance_id") ?? "", "count", 0, 1023).value;
    const compute = parseQuantity(leaf(device, "compute_instance_id") ?? "", "count", 0, 1023).value ?? 0;
    const look = lookIn(device);
    const slice = readGpu((source) => (source === ATTRIBUTES.uuid ? [card.uuid] : look(source)));
    if (instance === null || slice === null) continue;
    const { uuid, index, busId, name, pstate, migMode } = card;
    const mig = compute === 0 ? String(instance) : `${instance}/${compute}`;
    slices.push({ ...slice, uuid, index, busId, name, pstate, migMode, mig });
  }
  return slices;
}

/** False when the card does not list its processes. */
function readProcesses(gpu: Node, uuid: string, byUuid: Map<string, GpuProcess[]>): boolean {
  const list = gpu.processes;
  if (typeof list === "string" && (list.trim() === "" || list.trim() === "None")) return true;
  const node = asNode(list);
  if (node === null) return false;
  for (const info of children(node, "process_info")) {
    const pid = parseQuantity(leaf(info, "pid") ?? "", "count", 1, 0x7fffffff).value;
    const used = parseQuantity(leaf(info, "used_memory") ?? "", "mebibytes", 0, 1_000_000).value;
    if (pid !== null)
      keepProcess(byUuid, uuid, {
        pid,
        name: processName(leaf(info, "process_name") ?? ""),
        usedMib: used,
        user: null,
      });
  }
  return true;
}

function lookIn(node: Node): Lookup {
  return (source: Source) => source.xml.map((path) => leaf(node, path)).filter((text) => text !== null);
}

/** The text at a path such as `temperature/gpu_temp`; null where there is none. */
function leaf(node: Node, path: string): string | null {
  const steps = path.split("/");
  const last = steps.pop() ?? "";
  let here: Node | null = node;
  for (const step of steps) here = here && child(here, step);
  const value = here && own(here, last);
  return typeof value === "string" && value.length <= 4096 ? value : null;
}

function child(node: Node | null, tag: string): Node | null {
  const value = node && own(node, tag);
  return asNode(Array.isArray(value) ? value[0] : value);
}

function children(node: Node, tag: string): Node[] {
  const value = own(node, tag);
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map(asNode).filter((one) => one !== null);
}

function own(node: Node, tag: string): unknown {
  return Object.hasOwn(node, tag) ? node[tag] : undefined;
}

/** The boundary to the XML library, which answers `any`: an object is a node, anything else is not. */
function asNode(value: unknown): Node | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Node) : null;
}
