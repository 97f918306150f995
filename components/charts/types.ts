/** What a chart is told (input) and what it draws (model). Plain data throughout: a server component may hand it over. */

/** Named by what the numbers are; how they read is decided in `./reading`. */
export type Unit = "percent" | "mib" | "watts" | "celsius" | "megahertz" | "usdMicros" | "usdMicrosPerHour" | "count";

/** One number per instant of the chart, or null where nothing was measured. */
export type Column = readonly (number | null)[];

/** A slot belongs to a team, an instance or a GPU for good; "text" is for a mean or a total. */
export type Slot = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | "text";

export type Series = {
  id: string;
  label: string;
  slot: Slot;
  mean: Column;
  /** Lowest and highest within each bucket (or of a forecast): drawn as a shade. */
  min?: Column;
  max?: Column;
  /** Samples behind each mean. */
  samples?: Column;
  /** Solid: measured. Dashed: declared, planned or forecast. Dotted: an earlier period laid beside it. */
  kind?: "measured" | "declared" | "compared";
  /** Strong: a machine with a firing alert. Quiet: the ones beside it. */
  weight?: "normal" | "strong" | "quiet";
  /** For prices and states, which hold until the next one. */
  isStepped?: boolean;
  /** A tint under the line; only where one line is measured. */
  hasArea?: boolean;
  /** A label at the right edge; the default where there are several lines. */
  hasEnd?: boolean;
};

export type LimitTone = "crit" | "warn" | "neutral";
export type Limit = { value: number; label: string; tone: LimitTone; isDashed?: boolean };
/** `label` stands at the upper left; without one, pending and firing say how long they last. */
export type Span = { from: number; to: number; kind: "pending" | "firing" | "fired" | "noted"; label?: string };
/** A declared part of memory, in the chart's unit. `verdict`: "fits", "4.4 GB of it do not exist". */
export type Pool = { id: string; label: string; verdict: string; from: number; to: number; slot: Slot };
/** Something that happened at an instant: a thin line from top to bottom, explained beside the chart. */
export type Happening = { at: number; tone: LimitTone };
export type Mark = { at: number; value: number; tone: LimitTone; label?: string };

export type ChartInput = {
  unit: Unit;
  timeZone: string;
  /** The window, [from, to); every column has one value per entry of `at`, which ascends. */
  from: number;
  to: number;
  stepMs: number;
  at: readonly number[];
  series: readonly Series[];
  limits?: readonly Limit[];
  spans?: readonly Span[];
  pools?: readonly Pool[];
  marks?: readonly Mark[];
  happenings?: readonly Happening[];
  /** What 100 % would be (capacity, power limit), for the readout's share. */
  whole?: number;
  /** Grey words after the title. */
  sub?: string;
  /** The chart is the subject of its page: more labels on its axis. */
  isSubject?: boolean;
  /** Silence shorter than this is no gap yet; the default is the larger of three steps and 90 s. */
  silentAfterMs?: number;
  /** Instant of the newest sample when it is too old to be called current. */
  staleSince?: number | null;
};

export type ChartRow = {
  at: number;
  values: (number | null)[];
  ranges: ([number, number] | null)[];
  samples: (number | null)[];
};

export type ChartLine = {
  id: string;
  label: string;
  color: string;
  width: number;
  opacity: number;
  dash: string | null;
  isStepped: boolean;
  hasRange: boolean;
  rangeOpacity: number;
  hasArea: boolean;
  isTotal: boolean;
};

/** Shares run from 0 (left, bottom) to 1 (right, top) of the plot. */
export type Tick = { share: number; label: string };
export type TimeTick = Tick & { align: "start" | "middle" | "end" };
export type End = {
  id: string;
  label: string;
  text: string;
  color: string;
  isTotal: boolean;
  isMissing: boolean;
  share: number;
};
export type Flag = { share: number; label: string; tone: LimitTone; isDashed: boolean; side: "left" | "right" };
export type Stretch = { left: number; width: number; label: string | null };

/** What does not follow the pointer, in shares of the plot. */
export type Frame = {
  y: { min: number; max: number; ticks: Tick[] };
  x: TimeTick[];
  limits: Flag[];
  spans: (Stretch & { kind: Span["kind"] })[];
  gaps: (Stretch & { ms: number; labelAt: "bottom" | "top" })[];
  pools: { id: string; label: string; verdict: string; color: string; bottom: number; top: number }[];
  /** Declared memory above capacity. */
  nothingBehind: { bottom: number; top: number } | null;
  happenings: { left: number; tone: LimitTone }[];
  marks: { left: number; share: number; tone: LimitTone; label: string | null }[];
  ends: End[];
  gutterPx: number;
  endsPx: number;
};

export type ChartModel = Frame & {
  unit: Unit;
  timeZone: string;
  from: number;
  to: number;
  stepMs: number;
  sub: string | null;
  rows: ChartRow[];
  lines: ChartLine[];
  hiddenLines: number;
  /** Index of the line whose value stands in the header; null where the labels at the edge do that. */
  subject: number | null;
  whole: number | null;
  staleSince: number | null;
  isEmpty: boolean;
};
