import type { Ctx } from "@/lib/domain/access";
import { monthOf } from "@/lib/domain/cost/zone";
import { NewSpend, TargetsText } from "@/lib/domain/plan/mix";
import { NewQuote } from "@/lib/domain/plan/quote-input";
import { SCENARIO_EXAMPLES } from "@/lib/domain/plan/scenario-examples";
import { enterSpend, setTargets } from "@/lib/services/plan/mix";
import { addQuote } from "@/lib/services/plan/quotes";
import { scenarios } from "@/lib/services/plan/scenarios";

const DAY_MS = 86_400_000;

/** Prices that somebody of the demo's team asked for lately. */
const QUOTES = [
  {
    days: 9,
    provider: "Vultr",
    typeName: "GH200",
    gpu: "GH200",
    gpus: "1",
    gpuMemoryGb: "96",
    unit: "gpu",
    price: "1.99",
  },
  {
    days: 16,
    provider: "AWS",
    typeName: "p5.48xlarge",
    gpu: "H100 SXM",
    gpus: "8",
    gpuMemoryGb: "80",
    unit: "instance",
    price: "55.04",
  },
];

/** Bills of other providers: months ago, and how much. */
const BILLS = [
  ["AWS", 1, "8214.60"],
  ["Google Cloud", 1, "2950.00"],
  ["AWS", 2, "9120.75"],
] as const;

/** What a team that plans has entered by then: two prices of its own, bills, targets, and two scenarios. */
export async function makePlans(ctx: Ctx): Promise<void> {
  const now = ctx.now.getTime();
  for (const { days, ...quote } of QUOTES) {
    const asOf = new Date(now - days * DAY_MS).toISOString().slice(0, 10);
    const price = { ...quote, tier: "on_demand", status: "confirmed", asOf, source: "Asked by mail, demo" };
    await addQuote(ctx, NewQuote.parse(price));
  }
  await setTargets(ctx, TargetsText.parse({ text: "Lambda 60\nAWS 30\nGoogle Cloud 10" }));
  for (const [provider, ago, amount] of BILLS) {
    const month = monthsBefore(monthOf(now, "UTC"), ago);
    await enterSpend(ctx, NewSpend.parse({ provider, month, amount, note: "demo" }));
  }
  for (const key of ["environments-52", "move-2026"]) {
    const example = SCENARIO_EXAMPLES.find((one) => one.key === key);
    if (example) await scenarios.create(ctx, { name: example.name, isShared: true, body: example.body });
  }
}

function monthsBefore(month: string, ago: number): string {
  const [year = 1970, of = 1] = month.split("-").map(Number);
  const index = year * 12 + of - 1 - ago;
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
}
