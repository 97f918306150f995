import { z } from "zod";
import { groupBy } from "@/lib/domain/group";
import { type Correction, MonthQuestion } from "./close";
import { daysOfMonth } from "./compare";
import { type Micros, sum } from "./money";

/** Of one team, or of everybody where none is named; an empty name is what nobody pays for. */
export const StatementQuestion = MonthQuestion.extend({ team: z.string().max(200).optional() });
export type StatementQuestion = z.output<typeof StatementQuestion>;

export function scopeOf(team: string | undefined | null): string {
  return team === undefined || team === null ? "all" : `team:${team}`;
}

type Owned = { team: string; project: string; environment: string; isShared: boolean };

export type StatementFacts = {
  lines: (Owned & {
    charge: "usage" | "storage";
    resourceId: string;
    /** The provider's own name of it: several may have been called the same. */
    externalId: string;
    name: string;
    typeName: string | null;
    region: string;
    minutes: number;
    byteHours: bigint | null;
    priceMicros: Micros | null;
    micros: Micros;
    lowMicros: Micros;
    highMicros: Micros;
    unknownRows: number;
  })[];
  charges: (Owned & { kind: string; description: string; micros: Micros })[];
  corrections: (Owned & Correction)[];
  /** What of a pot somebody bears. */
  shared: { pot: string; team: string; project: string; micros: Micros }[];
};

const text = z.string();
const count = z.number().int();

const Line = z.object({
  charge: z.enum(["usage", "storage"]),
  externalId: text,
  name: text,
  typeName: text.nullable(),
  region: text,
  minutes: count,
  byteHours: text.nullable(),
  priceMicros: text.nullable(),
  micros: text,
  lowMicros: text,
  highMicros: text,
  unknownRows: count,
});

const Part = z.object({
  team: text,
  project: text,
  environment: text,
  isShared: z.boolean(),
  resources: count,
  minutes: count,
  micros: text,
  lowMicros: text,
  highMicros: text,
  unknownRows: count,
  lines: z.array(Line),
});

/** What a statement says, and what its hash is taken of: nothing in it depends on when it is read. */
export const StatementContent = z.object({
  format: z.literal(1),
  month: text,
  zone: text,
  scope: text,
  team: text.nullable(),
  fromDay: text,
  toDay: text,
  parts: z.array(Part),
  shared: z.array(z.object({ pot: text, team: text, project: text, micros: text })),
  /** What of the pots nobody bears yet: in the statement of everybody. */
  unspreadMicros: text,
  charges: z.array(z.object({ kind: text, team: text, project: text, description: text, micros: text })),
  corrections: z.array(
    z.object({
      key: text,
      day: text,
      name: text,
      team: text,
      project: text,
      charge: text,
      minutes: count,
      micros: text.nullable(),
      why: text.nullable(),
    }),
  ),
  totals: z.object({
    usageMicros: text,
    storageMicros: text,
    sharedMicros: text,
    chargesMicros: text,
    correctionsMicros: text,
    taxMicros: text,
    totalMicros: text,
    lowMicros: text,
    highMicros: text,
    minutes: count,
    unknownRows: count,
  }),
});
export type StatementContent = z.output<typeof StatementContent>;

export type StatementAnswer = {
  now: number;
  status: "open" | "closing" | "closed";
  /** Of what instant the figures are: that of the close, or of the reading. */
  asOf: number;
  content: StatementContent;
  /** SHA-256 of the statement, and of the month's rows; null while it is a draft. */
  hash: string | null;
  contentHash: string | null;
  closedBy: string | null;
  /** Who else has one. */
  teams: string[];
};

/** Everybody who bears anything in the month. */
export function teamsOf(facts: StatementFacts): string[] {
  const owned = [...facts.lines, ...facts.charges, ...facts.corrections].filter(({ isShared }) => !isShared);
  return [...new Set([...owned, ...facts.shared].map(({ team }) => team))].sort();
}

/**
 * A month's statement of one team, or of everybody (null). A team pays for its own rows and for its part of each pot; the statements of
 * all teams and what is not spread yet add up to that of everybody.
 */
export function statementOf(facts: StatementFacts, month: string, zone: string, team: string | null): StatementContent {
  const isMine = (one: Owned) => team === null || (!one.isShared && one.team === team);
  const lines = facts.lines.filter(isMine);
  const charges = facts.charges.filter(isMine);
  const corrections = facts.corrections.filter(isMine);
  const shared = facts.shared.filter((one) => team === null || one.team === team);
  const days = daysOfMonth(month, zone);

  const own = sum(lines.map(({ micros }) => micros));
  const usage = sum(lines.filter(({ charge }) => charge === "usage").map(({ micros }) => micros));
  const tax = sum(charges.filter(({ kind }) => kind === "tax").map(({ micros }) => micros));
  const other = sum(charges.map(({ micros }) => micros)) - tax;
  const corrected = sum(corrections.map(({ micros }) => BigInt(micros ?? "0")));
  const spread = sum(shared.map(({ micros }) => micros));
  // For everybody the pots stand among the lines already: to spread them moves money and makes none.
  const borne = team === null ? 0n : spread;
  const total = own + tax + other + corrected + borne;
  const off = (bound: "lowMicros" | "highMicros") => sum(lines.map((line) => line[bound] - line.micros));
  const pots =
    sum([...facts.lines, ...facts.charges].filter(({ isShared }) => isShared).map(({ micros }) => micros)) +
    sum(facts.corrections.filter(({ isShared }) => isShared).map(({ micros }) => BigInt(micros ?? "0")));
  return {
    format: 1,
    month,
    zone,
    scope: scopeOf(team),
    team,
    fromDay: days[0] ?? `${month}-01`,
    toDay: days.at(-1) ?? `${month}-01`,
    parts: partsOf(lines, team !== null),
    shared: shared.map((one) => ({ ...one, micros: one.micros.toString() })),
    unspreadMicros: (team === null ? pots - spread : 0n).toString(),
    charges: charges.map(({ isShared: _, environment: __, micros, ...one }) => ({ ...one, micros: micros.toString() })),
    corrections: corrections.map(({ isShared: _, environment: __, ...one }) => one),
    totals: {
      usageMicros: usage.toString(),
      storageMicros: (own - usage).toString(),
      sharedMicros: borne.toString(),
      chargesMicros: other.toString(),
      correctionsMicros: corrected.toString(),
      taxMicros: tax.toString(),
      totalMicros: total.toString(),
      lowMicros: (total + off("lowMicros")).toString(),
      highMicros: (total + off("highMicros")).toString(),
      minutes: lines.reduce((all, line) => all + line.minutes, 0),
      unknownRows:
        lines.reduce((all, line) => all + line.unknownRows, 0) +
        corrections.filter(({ micros }) => micros === null).length,
    },
  };
}

/** Per project and environment, the most expensive first; with its resources where one team asks. */
function partsOf(lines: StatementFacts["lines"], hasLines: boolean): StatementContent["parts"] {
  const groups = groupBy(lines, ({ team, project, environment, isShared }) =>
    JSON.stringify([team, project, environment, isShared]),
  );
  const parts = [...groups.values()].flatMap((own) => {
    const [one] = own;
    if (!one) return [];
    const micros = sum(own.map((line) => line.micros));
    return [
      {
        micros,
        part: {
          team: one.team,
          project: one.project,
          environment: one.environment,
          isShared: one.isShared,
          resources: new Set(own.map(({ resourceId }) => resourceId)).size,
          minutes: own.reduce((all, line) => all + line.minutes, 0),
          micros: micros.toString(),
          lowMicros: sum(own.map((line) => line.lowMicros)).toString(),
          highMicros: sum(own.map((line) => line.highMicros)).toString(),
          unknownRows: own.reduce((all, line) => all + line.unknownRows, 0),
          lines: hasLines ? [...own].sort(byCost).map(lineOf) : [],
        },
      },
    ];
  });
  return parts.sort((a, b) => descending(a.micros, b.micros)).map(({ part }) => part);
}

function descending(a: bigint, b: bigint): number {
  return a === b ? 0 : a > b ? -1 : 1;
}

type FactLine = StatementFacts["lines"][number];

function byCost(a: FactLine, b: FactLine): number {
  const order = (line: FactLine) => `${line.name} ${line.resourceId} ${line.priceMicros ?? ""}`;
  return descending(a.micros, b.micros) || (order(a) < order(b) ? -1 : 1);
}

function lineOf(line: FactLine): z.output<typeof Line> {
  const { charge, externalId, name, typeName, region, minutes, unknownRows } = line;
  return {
    charge,
    externalId,
    name,
    typeName,
    region,
    minutes,
    unknownRows,
    byteHours: line.byteHours?.toString() ?? null,
    priceMicros: line.priceMicros?.toString() ?? null,
    micros: line.micros.toString(),
    lowMicros: line.lowMicros.toString(),
    highMicros: line.highMicros.toString(),
  };
}
