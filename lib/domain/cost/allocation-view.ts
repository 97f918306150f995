import { z } from "zod";
import { cleanName } from "@/lib/domain/text";
import { OWNER_FIELDS, type OwnerWords, Selector, SPLIT_METHODS, type SplitMethod } from "./allocation";
import type { Suggestion } from "./suggest";

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "is not a month like 2026-11");

export const AllocationQuestion = z.object({ month: month.optional() });
export type AllocationQuestion = z.output<typeof AllocationQuestion>;

/** What nobody pays for, or how pots are spread. */
export const AllocationTableQuestion = AllocationQuestion.extend({ table: z.enum(["queue", "pots"]).default("queue") });
export type AllocationTableQuestion = z.output<typeof AllocationTableQuestion>;

export const SharesQuestion = z.object({
  month: month.optional(),
  by: z.enum(OWNER_FIELDS).catch("team").default("team"),
});
export type SharesQuestion = z.output<typeof SharesQuestion>;

const word = z
  .string()
  .max(64, "is longer than 64 characters")
  .transform((text) => cleanName(text, 64))
  .default("");

export const Words = z.object({ team: word, project: word, environment: word, costCenter: word });

const isSomebody = (words: OwnerWords) => OWNER_FIELDS.some((field) => words[field] !== "");
const NAME_ONE = { message: "Name a team, project, environment or cost centre.", path: ["team"] };

export const Assign = z.object({
  resourceIds: z.array(z.uuid()).min(1).max(500),
  words: Words.refine(isSomebody, NAME_ONE),
  /** From when on they pay: the beginning of its life, of a month, or now. */
  from: z.enum(["beginning", "month", "now"]),
  month,
});
export type Assign = z.output<typeof Assign>;

const MILLION = 1_000_000;

export const RuleDraft = z
  .object({
    name: z
      .string()
      .transform((text) => cleanName(text, 64))
      .pipe(z.string().min(1, "Give it a name.")),
    selector: Selector,
    method: z.enum(SPLIT_METHODS),
    shares: z.array(z.object({ words: Words, ppm: z.number().int().min(0).max(MILLION) })).max(50),
    /** Instant from which it holds. */
    from: z.number().int().nonnegative(),
    month,
  })
  .superRefine(({ method, shares }, check) => {
    const problem = (message: string) => check.addIssue({ code: "custom", message, path: ["shares"] });
    if (shares.some(({ words }) => !isSomebody(words))) problem(NAME_ONE.message);
    else if (new Set(shares.map(({ words }) => JSON.stringify(words))).size < shares.length)
      problem("Somebody is named twice.");
    else if (method === "whole" && shares.length !== 1) problem("Name who pays.");
    else if (method === "fixed" && shares.reduce((all, { ppm }) => all + ppm, 0) !== MILLION)
      problem("The shares must add up to 100 %.");
  });
export type RuleDraft = z.output<typeof RuleDraft>;

export const EndRule = z.object({
  id: z.uuid(),
  version: z.number().int().positive(),
  /** "now": what it decided until now stays. "never": as if it had never been. */
  how: z.enum(["now", "never"]),
});
export type EndRule = z.output<typeof EndRule>;

export const MoveRule = z.object({ id: z.uuid(), version: z.number().int().positive(), by: z.enum(["up", "down"]) });
export type MoveRule = z.output<typeof MoveRule>;

type Bounded = { micros: string; lowMicros: string; highMicros: string; unknownRows: number };

export type Uncategorised = Bounded & {
  resourceId: string;
  kind: "instance" | "filesystem";
  name: string;
  typeName: string | null;
  region: string;
  isGone: boolean;
  launchedBy: string | null;
  /** What it costs per hour while nobody is named; null: its price is not known. "0": it has ended. */
  microsPerHour: string | null;
  since: number;
  suggestions: Suggestion[];
};

export type RuleView = {
  id: string;
  version: number;
  name: string;
  selector: Selector;
  about: string;
  method: SplitMethod;
  shares: { words: OwnerWords; ppm: number }[];
  from: number;
  to: number | null;
  state: "on" | "ended" | "to_come";
  /** What it decides in the month. */
  resources: number;
  micros: string;
};

export type RulesAnswer = {
  now: number;
  /** In the order in which they are asked. */
  rules: Omit<RuleView, "resources" | "micros">[];
};

/** Who pays for a thing over a part of its life. */
export type AssignmentView = {
  resourceId: string;
  kind: "instance" | "filesystem";
  name: string;
  typeName: string | null;
  region: string;
  /** Null: from its beginning, and for as long as it lives. */
  from: number | null;
  to: number | null;
  words: OwnerWords;
  /** The pot that takes it, to be spread; null: the words above pay. */
  pot: string | null;
  /** What says so: a rule, its labels or tags, or nothing. */
  by: "rule" | "label" | "nobody";
  rule: { id: string; name: string } | null;
};

export type AssignmentsAnswer = { now: number; month: string; zone: string; assignments: AssignmentView[] };

export type PotView = {
  name: string;
  micros: string;
  /** As it is spread now; null: no rule says how. */
  method: Exclude<SplitMethod, "whole"> | null;
  parts: {
    words: OwnerWords;
    micros: string /** Of the parts of each day, in millionths of a micro-dollar. */;
    roundingPpm: number;
  }[];
  unspreadMicros: string;
  /** Days on which nobody was there to bear it. */
  unspreadDays: string[];
};

export type AllocationAnswer = {
  now: number;
  month: string;
  zone: string;
  isCurrent: boolean;
  isClosed: boolean;
  from: number;
  to: number;
  /** allocated + shared + uncategorised = total. */
  total: Bounded;
  allocatedMicros: string;
  sharedMicros: string;
  uncategorised: Bounded;
  /** The same after the pots are spread: allocated and spread + unspread + uncategorised = total. */
  after: { allocatedMicros: string; unspreadMicros: string };
  /** Labelled or ruled by now; the ledger takes it up within a minute. */
  pending: { resources: number; micros: string };
  queue: Uncategorised[];
  /** Charges that no machine makes and nobody bears. */
  loose: { charge: string; micros: string; rows: number }[];
  rules: RuleView[];
  pots: PotView[];
  /** Each payer, before and after sharing; with pots and what nobody bears they add up to the total. */
  owners: { words: OwnerWords; ownMicros: string; sharedMicros: string }[];
  words: { teams: string[]; projects: string[]; environments: string[]; costCenters: string[] };
  /** What a rule can name: machines and file systems of the month, and workspaces. */
  things: { id: string; name: string }[];
  workspaces: { id: string; name: string }[];
};

export type RulePreview = {
  resources: number;
  micros: string;
  /** Charges without a machine that it takes. */
  looseMicros: string;
  moves: { resourceId: string; name: string; micros: string; from: string; to: string }[];
  /** Machines and file systems that it is about, also those that it does not move. */
  matched: number;
};

export type SharesAnswer = {
  now: number;
  month: string;
  zone: string;
  by: (typeof OWNER_FIELDS)[number];
  /** Own cost, what came from pots, and both; the key "" is what names nobody, with the pots' own rest apart. */
  rows: { key: string; ownMicros: string; sharedMicros: string; totalMicros: string }[];
  potsMicros: string;
  unspreadMicros: string;
  uncategorisedMicros: string;
  totalMicros: string;
};
