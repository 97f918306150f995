import { formatMib } from "@/lib/domain/format";
import type { Check, Evidence } from "./check";
import type { Group } from "./declaration";
import { poolsFor } from "./declaration";
import {
  architectureOf,
  cardGb,
  chipOf,
  isModel,
  modelName,
  type ObservedCard,
  type ObservedMachine,
  sizesOf,
} from "./observed";
import { judgePools, sumText } from "./pools";

/** What the checks of one machine share. */
export type Subject = { group: Group; machine: ObservedMachine; declaredAt: number; polledAt: number };

type Verdict = Omit<Check, "fact" | "group" | "machineId" | "machine" | "monthMicros" | "memoryGb" | "gpuId"> &
  Partial<Pick<Check, "monthMicros" | "memoryGb" | "gpuId">>;

export function checkOf(fact: Check["fact"], { group, machine }: Subject, verdict: Verdict): Check {
  return {
    fact,
    group: group.name,
    machineId: machine.id,
    machine: machine.name,
    gpuId: null,
    monthMicros: null,
    memoryGb: null,
    ...verdict,
  };
}

/** What is declared, what the provider records and what the cards say, in this order. */
export function evidenceOf(
  { declaredAt, polledAt, machine }: Subject,
  says: { declared: string | null; lambda?: string | null; gpus?: string | null },
): Evidence[] {
  return [
    { source: "declared", says: says.declared, at: declaredAt },
    ...(says.lambda === undefined ? [] : [{ source: "lambda", says: says.lambda, at: polledAt } as const]),
    ...(says.gpus === undefined ? [] : [{ source: "gpus", says: says.gpus, at: newest(machine.cards) } as const]),
  ];
}

function newest(cards: readonly ObservedCard[]): number | null {
  return cards.length === 0 ? null : Math.max(...cards.map(({ at }) => at));
}

/** "GH200", or "GH200, H200" where cards differ among themselves. */
export function distinct(values: readonly (string | null)[]): string | null {
  const known = [...new Set(values.filter((value) => value !== null))];
  return known.length === 0 ? null : known.join(", ");
}

const NO_CARD = "No card of the machine reports, so this is not verified.";
const START_AGENT = "Install the agent, or start it: its first sample settles it.";

export function hardwareChecks(subject: Subject): Check[] {
  return [
    model(subject),
    record(subject),
    memory(subject),
    gpus(subject),
    pools(subject),
    architecture(subject),
  ].flat();
}

function model(subject: Subject): Check {
  const { group, machine, polledAt } = subject;
  const record = machine.record?.gpuModel ?? null;
  const cards = machine.cards.filter(({ name }) => !isModel(group.gpu, name));
  const reported = distinct(machine.cards.map(({ name }) => name));
  const evidence = evidenceOf(subject, { declared: group.gpu, lambda: record, gpus: reported });
  const wanted = modelName(group.gpu);
  if (machine.cards.length > 0) {
    const differs = cards.length > 0;
    const found = distinct(machine.cards.map(({ name }) => modelName(name)));
    const sameSize = cards.some((card) => sizesOf(group.gpu).includes(cardGb(card) ?? -1));
    return checkOf("model", subject, {
      state: differs ? "differs" : "agrees",
      severity: "critical",
      declared: wanted,
      observed: found,
      why: differs
        ? `Its cards call themselves ${reported}. ${sameSize ? "The memory has the same size, which does not make it the same model." : "That is another model."}`
        : `Its cards call themselves ${reported}.`,
      settle: `Declare ${found} for these machines, or launch machines with ${wanted} and terminate these.`,
      evidence,
      gpuId: cards.length === 1 && machine.cards.length > 1 ? (cards[0]?.id ?? null) : null,
      seenAt: newest(machine.cards) ?? polledAt,
    });
  }
  const isElse = record !== null && chipOf(record) !== chipOf(group.gpu);
  return checkOf("model", subject, {
    state: isElse ? "differs" : "unverified",
    severity: "critical",
    declared: wanted,
    observed: isElse ? modelName(record) : null,
    why: isElse ? `Lambda records ${record} for ${machine.typeName}; no card of it reports.` : NO_CARD,
    settle: isElse ? `Declare ${record}, or launch another type.` : START_AGENT,
    evidence,
    seenAt: polledAt,
  });
}

/** Whether the provider's record and the cards tell the same, whatever was declared. */
function record(subject: Subject): Check[] {
  const { machine, polledAt } = subject;
  const said = machine.record?.gpuModel ?? null;
  const [card] = machine.cards.filter(({ name }) => said !== null && chipOf(name) !== chipOf(said));
  if (said === null || machine.cards.length === 0) return [];
  const found = card ? modelName(card.name) : modelName(said);
  return [
    checkOf("record", subject, {
      state: card ? "differs" : "agrees",
      severity: "critical",
      declared: said,
      observed: found,
      why: card
        ? `Lambda records ${said} for ${machine.typeName}, and a card calls itself ${card.name}.`
        : "Lambda and the cards agree.",
      settle: "Ask Lambda with the UUID of the card; until then believe the card.",
      evidence: [
        { source: "lambda", says: said, at: polledAt },
        {
          source: "gpus",
          says: card ? `${card.name}, ${card.uuid}` : distinct(machine.cards.map(({ name }) => name)),
          at: newest(machine.cards),
        },
      ],
      gpuId: card && machine.cards.length > 1 ? card.id : null,
      seenAt: newest(machine.cards) ?? polledAt,
    }),
  ];
}

function memory(subject: Subject): Check {
  const { group, machine, polledAt } = subject;
  const declared = `${group.memoryGb} GB`;
  const recorded = machine.record?.gpuMemoryGb ?? null;
  const known = machine.cards.map((card) => ({ card, gb: cardGb(card) }));
  const words = distinct(
    machine.cards.map((card) => (card.memoryMib === null ? null : `${formatMib(card.memoryMib)}, ${card.name}`)),
  );
  const evidence = evidenceOf(subject, {
    declared,
    lambda: recorded === null ? null : `${recorded} GB`,
    gpus: words,
  });
  const base = { declared, evidence, seenAt: newest(machine.cards) ?? polledAt };
  if (known.length > 0 && known.every(({ gb }) => gb !== null)) {
    const wrong = known.filter(({ gb }) => gb !== group.memoryGb);
    const gb = wrong.reduce((sum, one) => sum + (one.gb ?? 0) - group.memoryGb, 0);
    const cpu = machine.cards.find(({ name }) => name.includes(`${group.memoryGb}GB`) && wrong.length > 0);
    return checkOf("memory", subject, {
      ...base,
      state: wrong.length > 0 ? "differs" : "agrees",
      severity: gb < 0 ? "critical" : "warning",
      observed: distinct(known.map(({ gb: one }) => `${one} GB`)),
      why: cpu
        ? `The ${group.memoryGb} GB in “${cpu.name}” is the memory of its CPU.`
        : wrong.length > 0
          ? `Such cards are sold with ${distinct(wrong.map(({ gb: one }) => `${one} GB`))} and report ${distinct(wrong.map(({ card }) => formatMib(card.memoryMib)))}.`
          : `Cards that report ${distinct(known.map(({ card }) => formatMib(card.memoryMib)))} are sold with ${declared}.`,
      settle: `Declare ${distinct(wrong.map(({ gb: one }) => `${one} GB`)) ?? declared}, or move to GPUs with ${declared}.`,
      gpuId: wrong.length === 1 && known.length > 1 ? (wrong[0]?.card.id ?? null) : null,
      memoryGb: wrong.length > 0 ? Math.round(gb * 1_000) / 1_000 : null,
    });
  }
  const isElse = known.length === 0 && recorded !== null && recorded !== group.memoryGb;
  return checkOf("memory", subject, {
    ...base,
    state: isElse ? "differs" : "unverified",
    severity: (recorded ?? 0) < group.memoryGb ? "critical" : "warning",
    observed: isElse ? `${recorded} GB` : null,
    why: isElse
      ? `Lambda records ${recorded} GB per GPU for ${machine.typeName}; no card of it reports.`
      : known.length === 0
        ? NO_CARD
        : "What this card is sold with is not in the table of models, so its MiB say nothing about GB.",
    settle: isElse ? `Declare ${recorded} GB, or launch another type.` : START_AGENT,
    memoryGb: isElse ? (recorded - group.memoryGb) * (machine.record?.gpus ?? group.gpusPerInstance) : null,
  });
}

function gpus(subject: Subject): Check {
  const { group, machine, polledAt } = subject;
  const recorded = machine.record?.gpus ?? null;
  const uuids = new Set(machine.cards.map(({ uuid }) => uuid)).size;
  const found = uuids > 0 ? uuids : recorded;
  const differs = found !== null && found !== group.gpusPerInstance;
  return checkOf("gpus", subject, {
    state: differs ? "differs" : uuids === 0 ? "unverified" : "agrees",
    severity: "critical",
    declared: String(group.gpusPerInstance),
    observed: found === null ? null : String(found),
    why: uuids === 0 ? NO_CARD : `${uuids === 1 ? "One card reports" : `${uuids} cards report`}.`,
    settle: differs
      ? "Declare the number there is; where a card is missing, restart the machine and ask Lambda."
      : START_AGENT,
    evidence: evidenceOf(subject, {
      declared: String(group.gpusPerInstance),
      lambda: recorded === null ? null : String(recorded),
      gpus:
        uuids === 0
          ? null
          : differs
            ? `${uuids}: ${machine.cards.map(({ uuid }) => uuid).join(", ")}`
            : `${uuids} by UUID`,
    }),
    memoryGb: differs && found !== null ? (found - group.gpusPerInstance) * group.memoryGb : null,
    seenAt: newest(machine.cards) ?? polledAt,
  });
}

/** Pools against the card that is there. Where it is as declared, the group's own sum says it already. */
function pools(subject: Subject): Check[] {
  const { group, machine, polledAt } = subject;
  const own = poolsFor(group, machine.workload);
  if (own.length === 0) return [];
  const sizes = machine.cards.map(cardGb);
  const known = sizes.filter((gb) => gb !== null);
  const smallest = known.length === 0 ? null : Math.min(...known);
  const sum = judgePools(own, smallest ?? group.memoryGb);
  const text = sumText(own, sum.sumGb);
  const evidence = evidenceOf(subject, {
    declared: `${text} GB`,
    gpus: distinct(machine.cards.map((card) => (card.memoryMib === null ? null : formatMib(card.memoryMib)))),
  });
  const base = { declared: `${sum.sumGb} GB`, evidence, seenAt: newest(machine.cards) ?? polledAt };
  if (smallest === null || sizes.length > known.length) {
    return [
      checkOf("pools", subject, {
        ...base,
        state: "unverified",
        severity: "critical",
        observed: null,
        why: NO_CARD,
        settle: START_AGENT,
      }),
    ];
  }
  const isElse = smallest !== group.memoryGb;
  const over = isElse
    ? sizes.reduce<number>((total, gb) => total + judgePools(own, gb ?? group.memoryGb).overGb, 0)
    : 0;
  const isNoted = isElse && over === 0 && sum.verdict === "under";
  return [
    checkOf("pools", subject, {
      ...base,
      state: over > 0 || isNoted ? "differs" : "agrees",
      severity: over > 0 ? "critical" : "info",
      observed: `${smallest} GB`,
      why:
        over > 0
          ? `${text} GB of pools on a GPU of ${smallest} GB: ${sum.overGb} GB have nothing behind them.`
          : isNoted
            ? `${text} GB of pools on a GPU of ${smallest} GB: ${sum.underGb} GB belong to no pool.`
            : `${text} GB on ${smallest} GB.`,
      settle: over > 0 ? `Declare pools of at most ${smallest} GB.` : "Name what the rest is for.",
      memoryGb: over > 0 ? -over : null,
    }),
  ];
}

function architecture(subject: Subject): Check[] {
  const { group, machine, polledAt } = subject;
  if (group.architecture === undefined) return [];
  const own = machine.architecture && architectureOf(machine.architecture.value);
  const recorded = machine.record?.architecture ? architectureOf(machine.record.architecture) : null;
  const found = own ?? (recorded !== null && recorded !== group.architecture ? recorded : null);
  return [
    checkOf("architecture", subject, {
      state: found === null ? "unverified" : found === group.architecture ? "agrees" : "differs",
      severity: "critical",
      declared: group.architecture,
      observed: found,
      why:
        found === null
          ? "The agent has not said what its machine is."
          : found === group.architecture
            ? `uname says ${machine.architecture?.value ?? found}.`
            : `It is ${found}: images and wheels for ${group.architecture} do not run on it.`,
      settle: found === null ? START_AGENT : `Declare ${found}, and build images for it.`,
      evidence: [
        ...evidenceOf(subject, { declared: group.architecture, lambda: machine.record?.architecture ?? null }),
        { source: "agent", says: machine.architecture?.value ?? null, at: machine.architecture?.at ?? null },
      ],
      seenAt: machine.architecture?.at ?? polledAt,
    }),
  ];
}
