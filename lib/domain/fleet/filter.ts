import type { InstanceRow } from "./view";

/** What a row is filtered and sorted by; null is not known and satisfies no comparison. */
type Facts = Pick<
  InstanceRow,
  | "name"
  | "externalId"
  | "status"
  | "typeName"
  | "gpuModel"
  | "gpus"
  | "region"
  | "ip"
  | "labels"
  | "isBilled"
  | "priceMicros"
  | "todayMicros"
  | "utilizationPct"
  | "memoryUsedMib"
  | "memoryTotalMib"
  | "temperatureC"
  | "powerW"
  | "telemetry"
  | "idle"
  | "alert"
  | "purpose"
  | "protection"
>;

const WORDS: Record<string, (row: Facts) => (string | null)[]> = {
  status: (row) => [row.status, ...(row.idle ? ["idle", row.idle.kind] : []), row.telemetry.state],
  name: (row) => [row.name],
  id: (row) => [row.externalId],
  type: (row) => [row.typeName],
  model: (row) => [row.gpuModel],
  region: (row) => [row.region],
  ip: (row) => [row.ip],
  team: (row) => [row.labels.team || "none"],
  project: (row) => [row.labels.project || "none"],
  env: (row) => [row.labels.environment || "none"],
  costcenter: (row) => [row.labels.costCenter || "none"],
  owner: (row) => [row.labels.owner || "none"],
  workload: (row) => [row.labels.workload],
  alert: (row) => [row.alert ?? "none"],
  billing: (row) => [row.isBilled ? "yes" : "no"],
  purpose: (row) => [row.purpose || "none"],
  protected: (row) => [row.protection ? "yes" : "no"],
};

const dollars = (micros: string | null) => (micros === null ? null : Number(micros) / 1e6);

const NUMBERS: Record<string, (row: Facts, now: number) => number | null> = {
  util: (row) => row.utilizationPct,
  vram: (row) => vramPct(row),
  temp: (row) => row.temperatureC,
  power: (row) => row.powerW,
  gpus: (row) => row.gpus,
  cost: (row) => dollars(row.priceMicros),
  today: (row) => dollars(row.todayMicros),
  age: (row, now) => (row.telemetry.at === null ? null : (now - row.telemetry.at) / 1_000),
};

export const FILTER_FIELDS = { words: Object.keys(WORDS), numbers: Object.keys(NUMBERS) };

export function vramPct(row: Pick<Facts, "memoryUsedMib" | "memoryTotalMib">): number | null {
  return row.memoryUsedMib === null || row.memoryTotalMib === null || row.memoryTotalMib === 0
    ? null
    : (row.memoryUsedMib / row.memoryTotalMib) * 100;
}

type Test = (row: Facts, now: number) => boolean;

export type FleetFilter = {
  matches: Test /** What could not be understood, in words; those parts are left out. */;
  problems: string[];
};

const LIMIT = 500;

/**
 * Reads `util<5 cost>2 team:ml,research -status:terminated gh-train`: all parts must hold, a comma is "or", a minus is "not",
 * a bare word is looked for in name, id, type, model, region, address and labels.
 */
export function readFilter(text: string): FleetFilter {
  const problems: string[] = [];
  const tests: Test[] = [];
  for (const part of text.slice(0, LIMIT).trim().split(/\s+/).filter(Boolean)) {
    const test = readPart(part);
    if (typeof test === "string") problems.push(test);
    else if (test) tests.push(test);
  }
  return { matches: (row, now) => tests.every((test) => test(row, now)), problems };
}

function readPart(part: string): Test | string | null {
  const isNot = part.startsWith("-") && part.length > 1;
  const found = /^([a-z]+)(:|<=|>=|<|>|=)(.*)$/i.exec(isNot ? part.slice(1) : part);
  const test = found
    ? readField(String(found[1]).toLowerCase(), String(found[2]), String(found[3]))
    : bareWord(isNot ? part.slice(1) : part);
  if (typeof test !== "function") return test;
  return isNot ? (row, now) => !test(row, now) : test;
}

function readField(field: string, sign: string, value: string): Test | string | null {
  if (value === "") return null;
  const number = NUMBERS[field];
  if (number) {
    const limit = Number(value.replace(/[%$]|°?c$|w$|s$/gi, ""));
    if (!Number.isFinite(limit)) return `${field} is compared with a number, as in ${field}>5.`;
    return (row, now) => {
      const actual = number(row, now);
      if (actual === null) return false;
      if (sign === "<") return actual < limit;
      if (sign === "<=") return actual <= limit;
      if (sign === ">") return actual > limit;
      if (sign === ">=") return actual >= limit;
      return actual === limit;
    };
  }
  const words = WORDS[field];
  if (!words)
    return `There is no field “${field}”. Fields: ${[...FILTER_FIELDS.words, ...FILTER_FIELDS.numbers].join(", ")}.`;
  if (sign !== ":" && sign !== "=") return `${field} is a word: write ${field}:${value}.`;
  const wanted = value.toLowerCase().split(",").filter(Boolean);
  return (row) => words(row).some((word) => word !== null && wanted.some((one) => word.toLowerCase().includes(one)));
}

function bareWord(word: string): Test {
  const wanted = word.toLowerCase();
  return (row) =>
    [row.name, row.externalId, row.typeName, row.gpuModel, row.region, row.ip, ...Object.values(row.labels)].some(
      (text) => text?.toLowerCase().includes(wanted) ?? false,
    );
}

export const FLEET_SORTS = [
  "name",
  "status",
  "type",
  "gpus",
  "region",
  "team",
  "util",
  "vram",
  "temp",
  "cost",
  "today",
  "age",
] as const;
export type FleetSort = (typeof FLEET_SORTS)[number];

const STATUS_ORDER = ["unhealthy", "unknown", "active", "booting", "terminating", "preempted", "terminated"];

/** Sorts rows by a column; what is not known comes last both ways, and equals stay in order of name. */
export function sortRows<R extends Facts>(rows: readonly R[], by: FleetSort, isDescending: boolean, now: number): R[] {
  const key = (row: R): number | string | null => {
    if (by === "status") return STATUS_ORDER.indexOf(row.status);
    const number = NUMBERS[by];
    if (number) return number(row, now);
    return WORDS[by]?.(row)[0]?.toLowerCase() ?? null;
  };
  const keyed = rows.map((row) => ({ row, key: key(row) }));
  const sign = isDescending ? -1 : 1;
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) {
      if (a.key !== b.key) return a.key === null ? 1 : -1;
    } else if (a.key !== b.key) return (a.key < b.key ? -1 : 1) * sign;
    return a.row.name.localeCompare(b.row.name);
  });
  return keyed.map(({ row }) => row);
}
