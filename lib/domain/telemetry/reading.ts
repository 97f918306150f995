import { ATTRIBUTES } from "./attributes";
import { type CountMetric, METRICS, type Source, type Unit, WIDE_METRICS, type WideMetric } from "./catalogue";
import { missingWord, parseQuantity, type Quantity } from "./quantity";
import { emptyValues, type GpuReading, type Missing, type MissingReason, type RemappedRows } from "./sample";
import { textOrNull } from "./text";
import { THROTTLE_REASONS } from "./throttle";

/** What one output says for the names of a source, the best name first; a name that it does not have is left out. */
export type Lookup = (source: Source) => readonly string[];

/** Reads one GPU through a lookup; `at` is left to the caller. A card without UUID, bus id and index is null. */
export function readGpu(look: Lookup): GpuReading | null {
  const index = number(look, ATTRIBUTES.index, "count", 0, 1023);
  const busId = identifier(look, ATTRIBUTES.busId);
  const uuid =
    identifier(look, ATTRIBUTES.uuid) ?? (busId && `bus:${busId}`) ?? (index === null ? null : `index:${index}`);
  if (uuid === null) return null;

  const memoryTotalMib = number(look, ATTRIBUTES.memoryTotalMib, "mebibytes", 1, METRICS.memoryUsedMib.max);
  const values = emptyValues();
  const missing: Missing = {};
  for (const metric of WIDE_METRICS) values[metric] = keep(missing, metric, measure(look, metric));

  // More in use than the card has: one of the two numbers is wrong, and the total is checked against the model elsewhere.
  if (memoryTotalMib !== null && (values.memoryUsedMib ?? 0) > memoryTotalMib) {
    values.memoryUsedMib = null;
    missing.memoryUsedMib = "out_of_range";
  }

  return {
    uuid,
    mig: "",
    index,
    busId,
    name: textOrNull(word(look, ATTRIBUTES.name)),
    driverVersion: textOrNull(word(look, ATTRIBUTES.driverVersion)),
    memoryTotalMib,
    powerLimitW: number(look, ATTRIBUTES.powerLimitW, "watts", 1, METRICS.powerW.max),
    pstate: pstate(word(look, ATTRIBUTES.pstate)),
    migMode: migMode(word(look, ATTRIBUTES.migMode)),
    remappedRows: remappedRows(look),
    slowdownTemperatureC: slowdownTemperature(look),
    at: null,
    values,
    throttleReasons: keep(missing, "throttleReasons", throttleMask(look)),
    eccUncorrected: keep(missing, "eccUncorrected", measure(look, "eccUncorrected")),
    missing,
  };
}

function keep(missing: Missing, metric: WideMetric | CountMetric, quantity: Quantity): number | null {
  if (quantity.missing !== null) missing[metric] = quantity.missing;
  return quantity.value;
}

function measure(look: Lookup, metric: WideMetric | CountMetric): Quantity {
  const { unit, min, max } = METRICS[metric];
  return firstNumber(look(METRICS[metric]), unit, min, max);
}

/** The first candidate that is a number; failing that, why the first one is not. */
function firstNumber(candidates: readonly string[], unit: Unit, min: number, max: number): Quantity {
  let reason: MissingReason | null = null;
  for (const candidate of candidates) {
    const quantity = parseQuantity(candidate, unit, min, max);
    if (quantity.missing === null) return quantity;
    reason ??= quantity.missing;
  }
  return { value: null, missing: reason ?? "not_reported" };
}

function number(look: Lookup, source: Source, unit: Unit, min: number, max: number): number | null {
  return firstNumber(look(source), unit, min, max).value;
}

/** The first candidate that is no word for "missing". */
function word(look: Lookup, source: Source): string | null {
  return (
    look(source)
      .find((candidate) => missingWord(candidate) === null)
      ?.trim() ?? null
  );
}

function identifier(look: Lookup, source: Source): string | null {
  const text = word(look, source);
  return text !== null && /^[\w:./-]{1,120}$/.test(text) ? text : null;
}

function pstate(text: string | null): string | null {
  return text !== null && /^P\d{1,2}$/.test(text) ? text : null;
}

function migMode(text: string | null): GpuReading["migMode"] {
  if (text === "Enabled") return "enabled";
  return text === "Disabled" ? "disabled" : null;
}

function remappedRows(look: Lookup): RemappedRows | null {
  const correctable = number(look, ATTRIBUTES.remappedCorrectable, "count", 0, 1_000_000);
  const uncorrectable = number(look, ATTRIBUTES.remappedUncorrectable, "count", 0, 1_000_000);
  if (correctable === null || uncorrectable === null) return null;
  const isPending = isYes(word(look, ATTRIBUTES.remappedPending));
  const isFailed = isYes(word(look, ATTRIBUTES.remappedFailure));
  return { correctable, uncorrectable, isPending, isFailed };
}

/** nvidia-smi writes Yes and No, some drivers 1 and 0. */
function isYes(text: string | null): boolean {
  return text === "Yes" || text === "1";
}

/** A card slows down somewhere between 60 and 130 °C; anything else is a distance to a limit in the wrong place. */
function slowdownTemperature(look: Lookup): number | null {
  return number(look, ATTRIBUTES.slowdownTemperatureC, "celsius", 60, 130);
}

/** The mask where the output has one, else put together from its reasons. */
function throttleMask(look: Lookup): Quantity {
  const mask = measure(look, "throttleReasons");
  if (mask.missing === null) return mask;

  let bits = 0;
  let known = 0;
  let reason: MissingReason | null = null;
  for (const { bit, source } of THROTTLE_REASONS) {
    const text = word(look, source);
    if (text === "Active") bits += bit;
    if (text === "Active" || text === "Not Active") known += 1;
    reason ??= missingWord(look(source)[0] ?? "");
  }
  if (known > 0) return { value: bits, missing: null };
  return mask.missing === "not_reported" && reason !== null ? { value: null, missing: reason } : mask;
}
