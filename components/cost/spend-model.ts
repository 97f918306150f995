import { type BarModel, barModel } from "@/components/charts/bar-model";
import type { ExploreAnswer } from "@/lib/domain/cost/explore";
import type { CostAnswer } from "@/lib/domain/cost/view";
import { formatClock, formatDay } from "@/lib/domain/format-time";
import { knownInCents } from "./model";
import { bucketWords, eachWords } from "./spend-words";

const LONG_READOUT_PX = 224;

/** The bars, each split so that its parts add up to what stands under them; with what days to come are expected to cost. */
export function exploreModel(data: ExploreAnswer, month: CostAnswer | null): BarModel {
  const expected = new Map(
    month?.isCurrent && month.month === data.window.month && data.per === "day"
      ? month.days.flatMap((day) => (day.expected ? [[day.day, day.expected] as const] : []))
      : [],
  );
  const model = barModel({
    unit: "usdMicros",
    timeZone: data.zone,
    parts: data.parts.map(({ key, label, slot }) => ({ id: key === null ? "left over" : `key ${key}`, label, slot })),
    bars: data.bars.map((bar) => {
      const day = expected.get(bar.key);
      return {
        from: bar.from,
        to: bar.to,
        ...(data.per !== "day" && bucketWords(bar, data.per, data.zone)),
        isToCome: bar.from >= data.now,
        amounts: bar.micros.length > 0 ? knownInCents(bar.micros) : data.parts.map(() => null),
        ...(day && {
          expected: { amount: Number(day.micros), low: Number(day.lowMicros), high: Number(day.highMicros) },
        }),
      };
    }),
    each: eachWords(data.per, data.window.to - 1, data.zone),
  });
  // Names of types and machines are longer than those of teams.
  const longest = Math.max(0, ...data.parts.map(({ label }) => label.length));
  const isLong = longest > 11 || data.per === "hour" || data.per === "week";
  const x = data.per === "hour" ? hourLabels(data) : model.frame.x;
  return { ...model, frame: { ...model.frame, x, endsPx: isLong ? LONG_READOUT_PX : model.frame.endsPx } };
}

/** Where days begin; within one day, every few hours. */
function hourLabels({ bars, zone }: ExploreAnswer): BarModel["frame"]["x"] {
  const isOneDay = bars[0]?.fromDay === bars.at(-1)?.fromDay;
  return bars.flatMap((bar, index) => {
    const isShown = isOneDay ? index % 4 === 0 : bar.fromDay !== bars[index - 1]?.fromDay;
    const label = isOneDay ? formatClock(bar.from, zone) : formatDay(bar.from, zone);
    return isShown
      ? [{ share: (index + 0.5) / bars.length, label, align: index === 0 ? ("start" as const) : ("middle" as const) }]
      : [];
  });
}
