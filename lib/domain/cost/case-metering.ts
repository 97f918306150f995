import { z } from "zod";
import {
  type Calculators,
  calculator,
  cents,
  count,
  instant,
  looks,
  priceIntervals,
  rounding,
  tagIntervals,
  zone,
} from "./case-inputs";
import { decimalText } from "./decimal";
import { type Life, lifeOf, spansOf } from "./lifecycle";
import {
  billableMinutes,
  boundedLines,
  type LifeBounds,
  type MeterRow,
  type MinuteRounding,
  meter,
  minutesCost,
} from "./meter";
import { centsOf, MICROS_PER_CENT, needsReview, sum } from "./money";
import type { Bound } from "./rows";
import { storageMicros } from "./storage";
import { dayRange } from "./zone";

function known(rows: readonly MeterRow[]): bigint {
  return sum(rows.map((row) => row.micros).filter((amount) => amount !== null));
}

const price = { price_cents_per_hour: cents, minute_rounding: rounding };

const meterCase = calculator(
  z.object({
    billable_start: instant,
    billable_end: instant,
    price_intervals: priceIntervals,
    accounting_timezone: zone,
    report_by: z.enum(["total", "month", "day"]).default("total"),
    minute_rounding: rounding,
    tag_intervals: tagIntervals,
  }),
  (given) => {
    const tags = [...new Set(given.tag_intervals.map(({ tag }) => tag))];
    const rows = meter(
      {
        from: given.billable_start,
        to: given.billable_end,
        prices: given.price_intervals,
        owners: given.tag_intervals.map(({ tag, ...span }) => ({ ...span, ownerId: tags.indexOf(tag) + 1 })),
        zone: given.accounting_timezone,
        rounding: given.minute_rounding,
      },
      given.report_by,
    );
    return {
      minutes: billableMinutes(given.billable_start, given.billable_end, given.minute_rounding),
      rows: rows.map((row) => {
        const inForce = given.price_intervals.find(({ priceId }) => priceId === row.priceId);
        return {
          period: row.period,
          price_cents_per_hour: inForce ? inForce.micros / MICROS_PER_CENT : null,
          minutes: row.minutes,
          micro_usd: row.micros,
          tag: tags[row.ownerId - 1] ?? null,
        };
      }),
      total_micro_usd: known(rows),
    };
  },
);

/** Minutes and money of the three lives; of no life, zero. */
function lifeFigures(
  life: LifeBounds | null,
  given: { price_cents_per_hour: bigint; minute_rounding: MinuteRounding },
) {
  const microsPerHour = given.price_cents_per_hour;
  const minutes = (bound: Bound) =>
    life ? billableMinutes(life.from[bound], life.to[bound], given.minute_rounding) : 0;
  const [low, best, high] = [minutes("low"), minutes("best"), minutes("high")];
  const [lowMicros, highMicros] = [minutesCost(low, microsPerHour), minutesCost(high, microsPerHour)];
  return {
    low_minutes: low,
    low_micro_usd: lowMicros,
    best_minutes: best,
    best_micro_usd: minutesCost(best, microsPerHour),
    high_minutes: high,
    high_micro_usd: highMicros,
    minutes: best,
    total_micro_usd: minutesCost(best, microsPerHour),
    uncertainty_micro_usd: highMicros - lowMicros,
    state: needsReview(lowMicros, highMicros) ? "needs_review" : "certain",
  };
}

/** The life that exact events tell: each change happened when it is said to have. */
function lifeOfEvents(events: z.output<typeof looks>): Life | null {
  const spans = spansOf(events).map((span) => ({
    ...span,
    prevPollAt: span.validFrom,
    lastSeenAt: span.validTo ?? span.lastSeenAt,
  }));
  const now = Math.max(...events.map(({ at }) => at));
  return lifeOf({ spans, events: [], isGone: false, lastPollAt: now, now });
}

const EDGE_POLICY = "first active .. first terminating";

const bounds: Calculators = {
  "bounds.lifecycle": calculator(
    z.object({ last_not_active: instant, first_active: instant, last_active: instant, first_gone: instant, ...price }),
    (given) => {
      const span = {
        status: "active" as const,
        validFrom: given.first_active,
        prevPollAt: given.last_not_active,
        lastSeenAt: given.last_active,
        validTo: given.first_gone,
      };
      const now = given.first_gone;
      const life = lifeOf({ spans: [span], events: [], isGone: true, lastPollAt: now, now });
      return lifeFigures(life, given);
    },
  ),
  "bounds.outage": calculator(
    z.object({ start: instant, last_active: instant, first_gone: instant, ...price }),
    (given) => {
      const span = {
        status: "active" as const,
        validFrom: given.start,
        prevPollAt: given.start,
        lastSeenAt: given.last_active,
        validTo: given.first_gone,
      };
      const now = given.first_gone;
      const life = lifeOf({ spans: [span], events: [], isGone: true, lastPollAt: now, now });
      return lifeFigures(life, given);
    },
  ),
  "bounds.price-change": calculator(
    z.object({
      day: z.iso.date(),
      last_poll_old_price: instant,
      first_poll_new_price: instant,
      old_cents: cents,
      new_cents: cents,
      billable_minutes_in_day: count,
    }),
    (given) => {
      const { from } = dayRange(given.day, "UTC");
      const to = from + given.billable_minutes_in_day * 60_000;
      const { last_poll_old_price: prevSeenAt, first_poll_new_price: change } = given;
      const lines = boundedLines({
        life: { from: { low: from, best: from, high: from }, to: { low: to, best: to, high: to } },
        prices: [
          { priceId: 1, from: null, to: change, micros: given.old_cents },
          { priceId: 2, from: change, to: null, micros: given.new_cents, prevSeenAt },
        ],
        owners: [],
        zone: "UTC",
      });
      const total = (column: "micros" | "lowMicros" | "highMicros") => sum(lines.map((line) => line[column] ?? 0n));
      return {
        best_micro_usd: total("micros"),
        low_micro_usd: total("lowMicros"),
        high_micro_usd: total("highMicros"),
        uncertainty_micro_usd: total("highMicros") - total("lowMicros"),
      };
    },
  ),
};

const lives: Calculators = {
  "meter.lifecycle": calculator(z.object({ events: looks, ...price }), (given) =>
    lifeFigures(lifeOfEvents(given.events), given),
  ),
  "meter.observations": calculator(
    z.object({ observations: looks, edge_policy: z.literal(EDGE_POLICY).default(EDGE_POLICY), ...price }),
    (given) => lifeFigures(lifeOfEvents(given.observations), given),
  ),
  "meter.fleet": calculator(z.object({ instances: count, minutes_each: count, ...price }), (given) => {
    const each = minutesCost(given.minutes_each, given.price_cents_per_hour);
    const total = each * BigInt(given.instances);
    return { per_instance_micro_usd: each, total_micro_usd: total, display_usd: decimalText(centsOf(total), 100n, 2) };
  }),
  "meter.many": calculator(z.object({ instances: z.array(z.object({ cents, minutes: count })) }), (given) => {
    const rows = given.instances.map((one) => minutesCost(one.minutes, one.cents));
    return { rows_micro_usd: rows, total_micro_usd: sum(rows) };
  }),
};

const storage: Calculators = {
  filesystem: calculator(
    z.object({
      segments: z.array(z.object({ bytes_used: z.number().int().nonnegative().nullable(), hours: count })),
      price_cents_per_gib_month: cents,
      hours_per_month: count.default(720),
    }),
    (given) => {
      let bytes = 0n;
      let byteHours = 0n;
      for (const segment of given.segments) {
        if (segment.bytes_used !== null) bytes = BigInt(segment.bytes_used);
        byteHours += bytes * BigInt(segment.hours);
      }
      const gib = 2n ** 30n;
      return {
        byte_hours: byteHours,
        gib_hours: byteHours % gib === 0n ? byteHours / gib : decimalText(byteHours, gib, 12),
        total_micro_usd: storageMicros(byteHours, given.price_cents_per_gib_month, BigInt(given.hours_per_month)),
      };
    },
  ),
};

/** Worked cases of metering, its bounds, and storage. */
export const meteringKinds: Calculators = { meter: meterCase, ...lives, ...bounds, ...storage };
