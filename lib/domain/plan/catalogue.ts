import { parseDecimal } from "@/lib/domain/cost/decimal";
import { CATALOGUE_ROWS } from "./catalogue-rows";
import { QUOTE_STATUSES, QUOTE_TIERS, QUOTE_UNITS, type Quote } from "./quotes";

/** Who says it, as a reader can look it up. */
export const CATALOGUE_SOURCES: Readonly<Record<string, string>> = {
  review: "Provisioning guide review",
  alignment: "GH200 alignment report",
  textnlp: "TextNLP GPU requirements, undated",
  recording: "Lambda API, recorded",
  skypilot: "skypilot-catalog, Lambda",
  lists: "sooddvs/gpu-pricing, from the providers’ price APIs",
  offers: "tardellirs/gpu-pricing",
  medians: "cherielilili/gpu-pricing-tracker",
  fullStack: "The Full Stack, cloud-gpus.csv",
};

/** The day on which the bundled prices were put together. */
export const CATALOGUE_DAY = "2026-08-21";

const MICROS_PER_USD = 1_000_000n;

/** The bundled prices, in the order in which they are written. */
export const BUNDLED_QUOTES: readonly Quote[] = CATALOGUE_ROWS.split("\n")
  .filter((line) => line.trim() !== "" && !line.startsWith("#"))
  .map(quoteOf);

function quoteOf(line: string, index: number): Quote {
  const cells = line.split("|").map((cell) => cell.trim());
  const at = (column: number) => cells[column] ?? "";
  const [provider = "", typeName = "", gpu = "", gpus = ""] = cells;
  const tier = one(QUOTE_TIERS, at(8), line);
  const unit = one(QUOTE_UNITS, at(9), line);
  return {
    id: `bundled-${index + 1}`,
    provider,
    typeName,
    gpu,
    gpus: Number(gpus),
    gpuMemoryGb: number(at(4)),
    vcpus: number(at(5)),
    memoryGib: number(at(6)),
    region: at(7),
    tier,
    unit,
    micros: micros(at(10)),
    source: CATALOGUE_SOURCES[at(11)] ?? at(11),
    asOf: at(12) || null,
    status: one(QUOTE_STATUSES, at(13), line),
    note: at(14),
    origin: "bundled",
  };
}

function one<T extends string>(words: readonly T[], text: string, line: string): T {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new RangeError(`The catalogue has no ${text}: ${line}`);
  return found;
}

function number(text: string): number | null {
  return text === "" ? null : Number(text);
}

/** Every price of the catalogue is a whole number of micro-dollars. */
function micros(text: string): bigint {
  const { numerator, denominator } = parseDecimal(text);
  const scaled = numerator * MICROS_PER_USD;
  if (scaled % denominator !== 0n) throw new RangeError(`Not a whole number of micro-dollars: ${text}`);
  return scaled / denominator;
}
