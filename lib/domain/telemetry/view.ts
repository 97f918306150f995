import { z } from "zod";
import { WindowQuestion } from "@/lib/domain/fleet/view";
import { METRICS, type Metric, type Unit } from "./catalogue";
import { SCOPE_KINDS, type ScopeKind } from "./scope";

/** The metrics that can be drawn over time. A mask of bits or a count of a card's life has no mean. */
export const SERIES_METRICS = Object.keys(METRICS).filter(
  (name): name is Metric => METRICS[name as Metric].kind !== "count",
);

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const SCOPE = new RegExp(`^(?:fleet|gpu=[0-9]{1,9}|instance=${UUID}|(?:${SCOPE_KINDS.join("|")})=.{1,200})$`);

/** The most that any answer has. */
export const MOST_POINTS = 600;

export const SeriesQuestion = WindowQuestion.extend({
  metric: z.enum(SERIES_METRICS).meta({ description: "A metric of the catalogue." }),
  scope: z
    .string()
    .regex(SCOPE, `is not fleet, gpu=ID, instance=ID, or a label such as team=ml (${SCOPE_KINDS.join(", ")})`)
    .default("fleet")
    .meta({ description: "Whose: `fleet`, `gpu=ID`, `instance=ID`, or a label group such as `team=ml`." }),
  points: z.coerce
    .number()
    .int()
    .min(2)
    .max(MOST_POINTS)
    .default(MOST_POINTS)
    .meta({ description: "At most so many buckets." }),
  by: z.enum(["gpu", "instance"]).optional().meta({
    description: "Also the mean of each GPU of an instance, or of each of the dearest instances of the fleet.",
  }),
});
export type SeriesQuestion = z.output<typeof SeriesQuestion>;

/** What a browser asks; the server fills in the rest. */
export type SeriesAsked = z.output<typeof WindowQuestion> & {
  metric: Metric;
  scope: string;
  by?: "gpu" | "instance" | undefined;
  points?: number;
};

export type SeriesScope =
  | { kind: "fleet" }
  | { kind: "gpu"; gpuId: number }
  | { kind: "instance"; instanceId: string }
  | { kind: ScopeKind; value: string };

/** A scope as the question writes it (`team=ml`), taken apart. */
export function readScope(text: string): SeriesScope {
  const at = text.indexOf("=");
  const [kind, value] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
  if (kind === "gpu") return { kind, gpuId: Number(value) };
  if (kind === "instance") return { kind, instanceId: value };
  const group = SCOPE_KINDS.find((known) => known === kind);
  return group ? { kind: group, value } : { kind: "fleet" };
}

/**
 * What the numbers are made of: hot samples, hours that are sealed (the same samples, packed), sums per GPU and hour, or
 * distributions of all samples of the scope.
 */
export const SERIES_SOURCES = ["samples", "sealed_hours", "hourly", "distribution"] as const;
export type SeriesSource = (typeof SERIES_SOURCES)[number];

const column = z.array(z.number().nullable());

/** One entry per bucket of [from, to); a bucket without a sample is null with n = 0. */
export const SeriesAnswer = z.object({
  metric: z.enum(SERIES_METRICS),
  unit: z.string(),
  scope: z.string(),
  from: z.number(),
  to: z.number(),
  stepMs: z.number().meta({ description: "The resolution that the server chose." }),
  sources: z.array(z.enum(SERIES_SOURCES)),
  binWidth: z.number().nullable().meta({
    description: "Percentiles are the lower edge of a bin of this width; null: they are exact, or there are none.",
  }),
  at: z.array(z.number()),
  n: z.array(z.number()),
  mean: column,
  min: column,
  max: column,
  p50: column,
  p95: column,
  lines: z.array(z.object({ id: z.string(), name: z.string(), position: z.number(), mean: column })),
  hidden: z.number().meta({ description: "Instances beyond those that have a line." }),
});
export type SeriesAnswer = Omit<z.output<typeof SeriesAnswer>, "unit"> & { unit: Unit };
export type SeriesLine = SeriesAnswer["lines"][number];

export const LiveQuestion = z.object({
  metrics: z
    .enum(["heat", "all"])
    .default("heat")
    .meta({ description: "The metrics of the heat map, or every metric of a sample." }),
});

export const QualityQuestion = z.object({ instanceId: z.uuid() });
