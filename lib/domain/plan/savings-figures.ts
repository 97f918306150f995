import { HOURS_OF_MONTH, perMonth } from "@/lib/domain/cost/waste";
import { formatNumber, formatPercent, formatUsd, formatUsdWhole } from "@/lib/domain/format";
import { type Figure, type FigureNumber, type FigureSource, figure } from "./formula";
import { money, plain, rate } from "./numbers";
import { providerName } from "./quotes";
import { MEASURE_WORDS, type SavingMachine, type SavingMeasure, type SavingsAnswer } from "./savings-view";
import { MEASURES, type Measure } from "./simulate";

const LEDGER: FigureSource = { label: "ledger" };
const TELEMETRY: FigureSource = { label: "telemetry, minute by minute" };
const HOUR_MS = 3_600_000;

function hours(key: string, name: string, minutes: number, source?: FigureSource): FigureNumber {
  return { key, name, value: `${formatNumber(minutes / 60, 1)} h`, amount: minutes / 60, ...(source && { source }) };
}

/** Numbers that turn a period into a month of 730 hours. */
function monthly(windowMs: number): FigureNumber[] {
  return [
    { key: "month", name: "hours of a month", value: `${HOURS_OF_MONTH} h`, amount: HOURS_OF_MONTH },
    {
      key: "window",
      name: "hours of the period",
      value: `${formatNumber(windowMs / HOUR_MS, 1)} h`,
      amount: windowMs / HOUR_MS,
    },
  ];
}

type How = Pick<SavingsAnswer, "windowMs"> & { asked: Pick<SavingsAnswer["asked"], "held" | "keep" | "discount"> };

/** What one measure alone would save of one machine in a month; null: nothing. */
export function machineFigure(machine: SavingMachine, measure: Measure, { windowMs, asked }: How): Figure | null {
  const saved = machine.alone[measure];
  const month = perMonth(BigInt(saved), windowMs);
  if (BigInt(saved) <= 0n || month === null) return null;
  const give = (formula: string, numbers: FigureNumber[], notes: string[] = []) =>
    figure({
      name: `${machine.name}: ${MEASURE_WORDS[measure].title.toLowerCase()}`,
      value: formatUsd(month),
      amount: Number(month) / 1e6,
      formula,
      numbers: [...numbers, ...(formula.includes("{window}") ? monthly(windowMs) : monthly(windowMs).slice(0, 1))],
      notes,
    });
  const cost = money("cost", "what it cost in the period", machine.micros, LEDGER);
  const paid = hours("paid", "paid hours of it", machine.all.billed, LEDGER);
  if (measure === "idle") {
    const minutes = machine.all.stopEmpty + (asked.held ? machine.all.stopHeld : 0);
    const name = asked.held
      ? "idle hours after the first half hour of each run"
      : "empty hours after the first half hour of each run";
    return give(
      "{cost} × {idle} ÷ {paid} × {month} ÷ {window}",
      [cost, hours("idle", name, minutes, TELEMETRY), paid],
      ["Minutes without telemetry are never idle."],
    );
  }
  if (measure === "schedule") {
    return give("{cost} × {off} ÷ {paid} × {month} ÷ {window}", [
      cost,
      hours("off", "paid hours at night and at weekends", machine.off.billed, LEDGER),
      paid,
    ]);
  }
  if (measure === "early") {
    const training = machine.training;
    if (training === null) return null;
    const least = BigInt(training.micros) < BigInt(machine.micros) ? training.micros : machine.micros;
    return give(
      "{runs} × (10 − {keep}) ÷ 10 × {month} ÷ {window}",
      [
        money("runs", `cost of ${training.runs} runs with epochs`, least, LEDGER),
        plain("keep", "epochs of ten that are run", asked.keep),
      ],
      ["Every epoch is taken to cost the same, and the run to stop at the last of them: at least so much is saved."],
    );
  }
  if (measure === "reserve") {
    if (machine.priceMicros === null || asked.discount === undefined) return null;
    return give(
      "{cost} × {month} ÷ {window} − {price} × (100 − {discount}) ÷ 100 × {month}",
      [
        cost,
        rate("price", "paid for an hour on average", machine.priceMicros, LEDGER),
        plain("discount", "discount, per cent, as typed", asked.discount),
      ],
      [`A commitment pays from ${100 - asked.discount} % of the hours on.`],
    );
  }
  const other = measure === "move" ? machine.elsewhere : machine.smaller;
  if (other === null || machine.priceMicros === null) return null;
  const label = `${providerName(other.provider)} ${other.typeName}, ${other.source}`;
  return give(
    "{cost} × ({price} − {other}) ÷ {price} × {month} ÷ {window}",
    [
      cost,
      rate("price", "paid for an hour on average", machine.priceMicros, LEDGER),
      rate("other", measure === "move" ? "the same GPUs elsewhere" : "the smaller machine", other.micros, {
        label,
        ...(other.asOf !== null && { asOf: other.asOf }),
      }),
    ],
    [
      ...(other.remark === "" ? [] : [`${other.remark[0]?.toUpperCase()}${other.remark.slice(1)}.`]),
      ...(other.state === "stale" ? ["This price is older than 30 days or of no known day."] : []),
    ],
  );
}

/** What a measure would save of all machines in a month. */
export function measureFigure(one: SavingMeasure, windowMs: number): Figure {
  return figure({
    name: MEASURE_WORDS[one.measure].title,
    value: formatUsd(one.aloneMicros),
    amount: Number(one.aloneMicros) / 1e6,
    formula: "{saved} × {month} ÷ {window}",
    numbers: [
      money("saved", `saved of ${one.machines} instances in the period`, one.periodMicros),
      ...monthly(windowMs),
    ],
    notes: ["Each instance has its own formula below."],
  });
}

/** What a measure would save of all machines in the chosen set, where hours are shared with others; null: it is not chosen. */
export function inSetFigure(one: SavingMeasure, windowMs: number): Figure | null {
  if (one.setMicros === null || one.setPeriodMicros === null) return null;
  return figure({
    name: `${MEASURE_WORDS[one.measure].title}, in this set`,
    value: formatUsd(one.setMicros),
    amount: Number(one.setMicros) / 1e6,
    formula: "{saved} × {month} ÷ {window}",
    numbers: [
      money("saved", "saved in the period of hours that no measure before it took", one.setPeriodMicros),
      ...monthly(windowMs),
    ],
    notes: ["In order: what is turned off, then training that stops early, then the one price that saves most."],
  });
}

/** What one machine would save by the chosen set. */
export function setFigure(machine: SavingMachine, windowMs: number): Figure {
  const parts = MEASURES.filter((measure) => BigInt(machine.inSet[measure]) > 0n);
  return figure({
    name: `${machine.name}: the chosen set`,
    value: formatUsd(machine.monthMicros),
    amount: Number(machine.monthMicros) / 1e6,
    formula: parts.length === 0 ? "0" : `(${parts.map((measure) => `{${measure}}`).join(" + ")}) × {month} ÷ {window}`,
    numbers:
      parts.length === 0
        ? []
        : [
            ...parts.map((measure) =>
              money(measure, `${MEASURE_WORDS[measure].title.toLowerCase()}, in the period`, machine.inSet[measure]),
            ),
            ...monthly(windowMs),
          ],
    notes: [
      "Each hour is counted once: what is turned off cannot be moved, and of several prices the one that saves most is taken.",
    ],
  });
}

/** What the chosen set would save of all. */
export function totalFigure({
  measures,
  total,
  windowMs,
}: Pick<SavingsAnswer, "measures" | "total" | "windowMs">): Figure {
  const chosen = measures.filter(({ setMicros }) => setMicros !== null);
  return figure({
    name: "The chosen set, each hour counted once",
    value: formatUsd(total.monthMicros),
    amount: Number(total.monthMicros) / 1e6,
    formula: chosen.length === 0 ? "0" : `${chosen.map(({ measure }) => `{${measure}}`).join(" + ")} − {overlap}`,
    numbers:
      chosen.length === 0
        ? []
        : [
            ...chosen.map(({ measure, aloneMicros }) =>
              money(measure, MEASURE_WORDS[measure].title.toLowerCase(), aloneMicros),
            ),
            money("overlap", "counted twice by them", total.overlapMicros),
          ],
    notes: [
      `${formatUsd(total.periodMicros)} in ${formatNumber(windowMs / HOUR_MS, 1)} h, as a month of ${HOURS_OF_MONTH} h.`,
    ],
  });
}

type Summed = Pick<SavingsAnswer, "measures" | "total" | "windowMs">;

/** What the chosen measures count twice when they are added up. */
export function overlapFigure({ measures, total }: Summed): Figure {
  const chosen = measures.filter(({ setMicros }) => setMicros !== null);
  return figure({
    name: "Counted once",
    value: formatUsd(total.overlapMicros),
    amount: Number(total.overlapMicros) / 1e6,
    formula: chosen.length === 0 ? "0" : `${chosen.map(({ measure }) => `{${measure}}`).join(" + ")} − {set}`,
    numbers:
      chosen.length === 0
        ? []
        : [
            ...chosen.map(({ measure, aloneMicros }) =>
              money(measure, `${MEASURE_WORDS[measure].title.toLowerCase()}, alone`, aloneMicros),
            ),
            money("set", "all of them together", total.monthMicros),
          ],
  });
}

/** Of the chosen set, what machines that bill now would save. */
export function liveFigure({ total, windowMs }: Summed): Figure {
  return figure({
    name: "Of it still running",
    value: formatUsdWhole(total.liveMicros),
    amount: Number(total.liveMicros) / 1e6,
    formula: "{saved} × {month} ÷ {window}",
    numbers: [
      money("saved", "saved in the period of machines that bill now", total.livePeriodMicros),
      ...monthly(windowMs),
    ],
  });
}

/** Of paid minutes, those in which something was heard; null: nothing was paid for. */
export function heardFigure({
  heardMinutes,
  billedMinutes,
}: Pick<SavingsAnswer, "heardMinutes" | "billedMinutes">): Figure | null {
  if (billedMinutes === 0) return null;
  const share = (100 * heardMinutes) / billedMinutes;
  return figure({
    name: "Minutes heard",
    value: formatPercent(share),
    amount: share,
    formula: "{heard} ÷ {paid} × 100",
    numbers: [
      plain("heard", "minutes in which telemetry came", heardMinutes, "", TELEMETRY),
      plain("paid", "paid minutes", billedMinutes, "", LEDGER),
    ],
    notes: ["A minute that was not heard is in no idle saving."],
  });
}
