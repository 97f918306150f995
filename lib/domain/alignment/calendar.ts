import { z } from "zod";
import { cleanName } from "@/lib/domain/text";
import type { Declaration, SoftwarePart } from "./declaration";

const DAY_MS = 24 * 3_600_000;

/** How long an emergency migration may take (reference: software that lost its support). */
export const EMERGENCY_MS = 28 * DAY_MS;

export type DeprecationLine = {
  policy: string;
  part: SoftwarePart;
  version: string;
  until: string;
  note: string | null;
  daysLeft: number;
  /** Machines that run it. */
  machines: string[];
};

/** What was deprecated and until when, the next first. */
export function calendarOf(
  declaration: Declaration,
  runs: (policy: string, part: SoftwarePart, version: string) => string[],
  now: number,
): DeprecationLine[] {
  return declaration.software
    .flatMap(({ name, deprecated }) =>
      deprecated.map(({ part, version, until, note }) => ({
        policy: name,
        part,
        version,
        until,
        note: note ?? null,
        daysLeft: Math.ceil((Date.parse(until) - now) / DAY_MS),
        machines: runs(name, part, version),
      })),
    )
    .sort((a, b) => (a.until < b.until ? -1 : a.until > b.until ? 1 : 0));
}

/** What is looked at every quarter. */
export const REVIEW_POINTS = [
  { id: "drivers", words: "Drivers: what NVIDIA supports, and what machines run" },
  { id: "cuda", words: "CUDA: which versions lose their support within six months" },
  { id: "pytorch", words: "PyTorch: which wheels exist for the CUDA versions allowed" },
  { id: "images", words: "Images: Lambda Stack and our own, rebuilt within the quarter" },
  { id: "hardware", words: "Hardware: cards below the minimum, types that Lambda no longer lists" },
  { id: "calendar", words: "The calendar of deprecations is brought up to date" },
] as const;
export type ReviewPoint = (typeof REVIEW_POINTS)[number]["id"];

const POINTS = REVIEW_POINTS.map(({ id }) => id) as [ReviewPoint, ...ReviewPoint[]];
const words = (length: number) =>
  z
    .string()
    .max(length * 2)
    .transform((text) => cleanName(text, length));

/** What people sign: a quarter's review, or an emergency migration with its end. Kept as a saved item. */
export const Review = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("quarter"),
    quarter: z.string().regex(/^\d{4}-Q[1-4]$/),
    points: z.array(z.enum(POINTS)).max(POINTS.length),
    remark: words(500).default(""),
    signedBy: z.string().max(200).nullable().default(null),
    signedAt: z.number().int().nullable().default(null),
  }),
  z.object({
    type: z.literal("migration"),
    what: words(120).pipe(z.string().min(1, "Say what must go")),
    reason: words(500).pipe(z.string().min(1, "Say why")),
    startedAt: z.number().int(),
    doneAt: z.number().int().nullable().default(null),
    startedBy: z.string().max(200).nullable().default(null),
  }),
]);
export type Review = z.output<typeof Review>;
export type QuarterReview = Extract<Review, { type: "quarter" }>;
export type Migration = Extract<Review, { type: "migration" }>;

/** "2026-Q4", in UTC. */
export function quarterOf(now: number): string {
  const date = new Date(now);
  return `${date.getUTCFullYear()}-Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
}

/** The first instant after a quarter: until then its review is due. */
export function quarterEnd(quarter: string): number {
  const [, year = "1970", part = "1"] = /^(\d{4})-Q([1-4])$/.exec(quarter) ?? [];
  return Date.UTC(Number(year), Number(part) * 3, 1);
}

export function migrationEndsAt({ startedAt }: Pick<Migration, "startedAt">): number {
  return startedAt + EMERGENCY_MS;
}
