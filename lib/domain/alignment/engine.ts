import { formatCount, formatUsdRate } from "@/lib/domain/format";
import type { Check } from "./check";
import { hardwareChecks } from "./check-hardware";
import { recordChecks } from "./check-record";
import { softwareChecks } from "./check-software";
import { type Declaration, type Group, policyOf, poolSets } from "./declaration";
import { membersOf, modelName, type Observed, type ObservedMachine, sizesOf } from "./observed";
import { judgePools, sumText } from "./pools";

export type Declared = { declaration: Declaration; version: number; at: number };

/** Every fact of every machine and group, in the order of the declaration. The same question has the same answer. */
export function checksOf(declared: Declared, observed: Observed): Check[] {
  const { declaration } = declared;
  const { members, strangers } = membersOf(declaration, observed.machines);
  const hours = declaration.hoursPerMonth;
  const checks = declaration.groups.flatMap((group) => {
    const own = members.get(group.name) ?? [];
    const policy = policyOf(declaration, group);
    return [
      ...documentChecks(group, declared.at),
      ...machinesCheck(group, own, declared.at, observed.at, hours),
      ...own.slice(0, group.count).flatMap((machine) => {
        const subject = { group, machine, declaredAt: declared.at, polledAt: observed.at };
        return [...hardwareChecks(subject), ...recordChecks(subject, hours), ...softwareChecks(subject, policy)];
      }),
      ...own.slice(group.count).map((machine) => extra(group, machine, declared.at, observed.at, hours)),
    ];
  });
  if (declaration.undeclared === "ignore") return checks;
  return [...checks, ...strangers.map((machine) => undeclared(machine, observed.at, hours))];
}

/** What is wrong within the document itself, whatever runs. Also what the editor says before anything is saved. */
export function documentChecks(group: Group, declaredAt: number): Check[] {
  const base = {
    group: group.name,
    machineId: null,
    machine: null,
    gpuId: null,
    monthMicros: null,
    seenAt: declaredAt,
  };
  const labels = labelCheck(group);
  const sums = poolSets(group).map(({ workload, pools }) => ({
    workload,
    pools,
    sum: judgePools(pools, group.memoryGb),
  }));
  const worst = sums.find(({ sum }) => sum.verdict === "over") ?? sums.find(({ sum }) => sum.verdict === "under");
  const shown = worst ?? sums[0];
  const checks: Check[] = [];
  if (labels) {
    checks.push({
      ...base,
      fact: "label",
      memoryGb: null,
      ...labels,
      evidence: [{ source: "declared", says: `${group.gpu}, ${group.memoryGb} GB`, at: declaredAt }],
    });
  }
  if (shown) {
    const { sum, pools, workload } = shown;
    const text = `${sumText(pools, sum.sumGb)} GB${workload === null ? "" : ` for ${workload}`}`;
    checks.push({
      ...base,
      fact: "sums",
      state: sum.verdict === "fits" ? "agrees" : "differs",
      severity: sum.verdict === "over" ? "critical" : "info",
      declared: `${group.memoryGb} GB`,
      observed: `${sum.sumGb} GB`,
      why:
        sum.verdict === "over"
          ? `${text} of pools on GPUs declared with ${group.memoryGb} GB: ${sum.overGb} GB too much.`
          : sum.verdict === "under"
            ? `${text} of pools on GPUs declared with ${group.memoryGb} GB: ${sum.underGb} GB belong to no pool.`
            : `${text} of pools on ${group.memoryGb} GB.`,
      settle: sum.verdict === "over" ? "Make the pools smaller." : "Name what the rest is for.",
      evidence: [{ source: "declared", says: text, at: declaredAt }],
      memoryGb: sum.verdict === "over" ? -sum.overGb * group.gpusPerInstance * group.count : null,
    });
  }
  return checks;
}

/** "H200" with 96 GB, and 480 GB of HBM on a GH200: sizes that the model is not sold with. */
function labelCheck({
  gpu,
  memoryGb,
}: Group): Pick<Check, "state" | "severity" | "declared" | "observed" | "why" | "settle"> | null {
  const sizes = sizesOf(gpu);
  if (sizes.length === 0) return null;
  const sold = sizes.map((gb) => `${gb} GB`).join(" or ");
  const isSold = sizes.includes(memoryGb);
  const isCpu = modelName(gpu).startsWith("GH200") && memoryGb === 480;
  return {
    state: isSold ? "agrees" : "differs",
    severity: "warning",
    declared: `${modelName(gpu)}, ${memoryGb} GB`,
    observed: `${modelName(gpu)}, ${sold}`,
    why: isSold
      ? `${modelName(gpu)} is sold with ${sold}.`
      : isCpu
        ? `The 480 GB in “GH200 480GB” is the memory of its CPU; the GPU has ${sold}.`
        : `There is no ${modelName(gpu)} with ${memoryGb} GB: it is sold with ${sold}. The size alone does not make the model.`,
    settle: `Declare the model that is meant, with its own size: ${modelName(gpu)} has ${sold}.`,
  };
}

function machinesCheck(
  group: Group,
  own: readonly ObservedMachine[],
  declaredAt: number,
  polledAt: number,
  hours: number,
): Check[] {
  const missing = Math.max(0, group.count - own.length);
  const price = group.pricePerHour === undefined ? null : BigInt(group.pricePerHour);
  const names = own.map(({ name }) => name);
  return [
    {
      fact: "machines",
      state: missing > 0 ? "differs" : "agrees",
      severity: "critical",
      group: group.name,
      machineId: null,
      machine: null,
      gpuId: null,
      declared: String(group.count),
      observed: String(own.length),
      why:
        missing > 0
          ? `${formatCount(missing, "machine")} of ${group.count} ${missing === 1 ? "is" : "are"} not there.`
          : `${formatCount(own.length, "machine")} ${own.length === 1 ? "is" : "are"} there.`,
      settle: `Launch ${missing === 1 ? "one" : missing} more ${group.instanceType}, or declare ${own.length}.`,
      evidence: [
        { source: "declared", says: String(group.count), at: declaredAt },
        {
          source: "lambda",
          says: names.length === 0 ? "none" : `${names.slice(0, 5).join(", ")}${names.length > 5 ? " …" : ""}`,
          at: polledAt,
        },
      ],
      monthMicros: missing > 0 && price !== null ? -price * BigInt(missing) * BigInt(hours) : null,
      memoryGb: missing > 0 ? -missing * group.gpusPerInstance * group.memoryGb : null,
      seenAt: polledAt,
    },
  ];
}

function extra(group: Group, machine: ObservedMachine, declaredAt: number, polledAt: number, hours: number): Check {
  return {
    ...unwanted(machine, polledAt, hours),
    fact: "extra",
    group: group.name,
    declared: `${group.count} in all`,
    why: `The group has ${formatCount(group.count, "machine")}; this one came later.`,
    settle: `Declare one more in ${group.name}, or terminate it.`,
    evidence: [
      { source: "declared", says: `${group.count} in ${group.name}`, at: declaredAt },
      { source: "lambda", says: recordText(machine), at: polledAt },
    ],
  };
}

function undeclared(machine: ObservedMachine, polledAt: number, hours: number): Check {
  return {
    ...unwanted(machine, polledAt, hours),
    fact: "undeclared",
    group: null,
    declared: null,
    why: "No group of the declaration means it.",
    settle: "Add it to a group, or terminate it.",
    evidence: [{ source: "lambda", says: recordText(machine), at: polledAt }],
  };
}

function unwanted(machine: ObservedMachine, polledAt: number, hours: number) {
  return {
    state: "differs",
    severity: "warning",
    machineId: machine.id,
    machine: machine.name,
    gpuId: null,
    observed: machine.typeName ?? "a machine",
    monthMicros: machine.priceMicros === null ? null : machine.priceMicros * BigInt(hours),
    memoryGb: null,
    seenAt: polledAt,
  } as const;
}

function recordText({ typeName, region, priceMicros }: ObservedMachine): string {
  const price = priceMicros === null ? "price unknown" : formatUsdRate(priceMicros);
  return `${typeName ?? "unknown type"}, ${region}, ${price}`;
}
