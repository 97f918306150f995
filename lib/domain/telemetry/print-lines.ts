import type { ParsedProcesses } from "./parse-processes";
import type { GpuReading, Problem } from "./sample";

/** What one print of nvidia-smi says; a text may hold several, one after the other. */
export type Look = { at: number | null; readings: GpuReading[]; processes: ParsedProcesses };
export type ParsedPrint = { looks: Look[]; problems: Problem[] };

/** Bounds of one text; eight GPUs are about 100 kB of `-q` and 5 kB of table. */
export const PRINT_LIMITS = { chars: 2_097_152, lineChars: 500, looks: 1000, gpus: 1000, slicesPerGpu: 64 };

/** What stands before a line that came through somebody's hands: quoted, commented, kubectl's and docker's names and times. */
const BEFORE =
  /^(?:> ?|# |\[[^\]\n]{1,80}\] |[\w.-]{1,80} +\| |\d{4}-\d\d-\d\dT[\d:.]{8,24}(?:Z|[+-]\d\d:\d\d) (?:std(?:out|err) [FP] )?){1,4}/;
const ESCAPE = String.fromCharCode(27);
const COLOUR = new RegExp(String.raw`${ESCAPE}\[[\d;]{0,20}[A-Za-z]`, "g");

/** The lines of a print, without what was written before each of them and without colours. Index i is line i + 1. */
export function printLines(text: string): string[] {
  const lines = text.split(/\r\n?|\n/);
  for (const [i, line] of lines.entries()) {
    const short = line.slice(0, PRINT_LIMITS.lineChars);
    const plain = short.includes(ESCAPE) ? short.replace(COLOUR, "") : short;
    lines[i] = plain.replace(BEFORE, "").trimEnd();
  }
  return lines;
}

/** A place on the PCI bus, as nvidia-smi writes it. */
export const BUS_ID = "(?:[0-9A-Fa-f]{4,8}:)?[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\\.[0-9A-Fa-f]";

/** A MIG slice beside its card: what it does not report (power, temperature, clocks) belongs to the whole card. */
export function asSlice(slice: GpuReading, card: GpuReading, instance: number, compute: number): GpuReading {
  const { uuid, index, busId, name, driverVersion, pstate, migMode, at } = card;
  const mig = compute === 0 ? String(instance) : `${instance}/${compute}`;
  return { ...slice, uuid, index, busId, name, driverVersion, pstate, migMode, at, mig };
}
