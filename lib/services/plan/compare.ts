import { priceAt } from "@/lib/db/cost/prices";
import { listLambdaMonths } from "@/lib/db/plan/other-spend";
import { listTypeUse } from "@/lib/db/plan/quotes";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { EVERY_REGION } from "@/lib/domain/cost/price-book";
import { dayRange, monthOf } from "@/lib/domain/cost/zone";
import {
  type CompareAnswer,
  type CompareQuestion,
  kindsOf,
  lambdaStorageFigure,
  offerView,
} from "@/lib/domain/plan/compare-view";
import { compareNeed, type Need, needWords } from "@/lib/domain/plan/comparison";
import { moveFleet } from "@/lib/domain/plan/elsewhere";
import { fleetChange, fleetSums, movedView } from "@/lib/domain/plan/fleet-view";
import { gpuKind } from "@/lib/domain/plan/gpu-kind";
import { providerName, type Quote, stateOf } from "@/lib/domain/plan/quotes";
import { STORAGE_SKU } from "@/lib/services/cost/meter";
import { type Book, readBook } from "./quotes";

const MONTH_HOURS = "730";
const FIRST_MONTH = "2000-01";

/** A machine, a job or a month's real fleet at every price of the book, like with like. */
export async function readCompare(ctx: Ctx, question: CompareQuestion): Promise<CompareAnswer> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const book = await readBook(ctx, question.on);
  const base = {
    now: ctx.now.getTime(),
    zone,
    day: book.day,
    today: book.today,
    what: question.what,
    kinds: kindsOf(book.current),
    types: typesOf(book.current),
    providers: providersOf(book.current),
  };
  if (question.what === "fleet") {
    const fleet = await fleetOf(ctx, question, book, zone);
    return { ...base, words: `The fleet of ${fleet.month}`, comparison: null, fleet };
  }
  const need = await needOf(question, book, zone);
  const comparison = compareNeed(book.current, need, book.day);
  const hours = question.what === "machine" ? MONTH_HOURS : question.hours;
  return {
    ...base,
    words: `${hours} h on ${need.gpus} × ${needWords(need)}`,
    comparison: {
      hasBase: comparison.base !== null,
      offers: comparison.offers.map((offer) => offerView(offer, comparison, need, book.day)),
      lambdaStorage: lambdaStorageFigure(comparison, need),
      left: [
        need.storageGib.numerator > 0n && !comparison.isStorageCompared
          ? "Storage is in no total: what a GiB costs elsewhere is not said."
          : "",
        need.egressGb.numerator > 0n && !comparison.isEgressCompared
          ? "Data sent out is in no total: what a GB costs elsewhere is not said. Lambda takes nothing for it."
          : "",
      ].filter((words) => words !== ""),
    },
    fleet: null,
  };
}

/** What is asked for: a card, or the card of a machine of Lambda for a month. */
async function needOf(question: CompareQuestion, book: Book, zone: string): Promise<Need> {
  const storage = await priceAt(
    { provider: "lambda", sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month" },
    new Date(dayRange(book.day, zone).to - 1),
  );
  const machine =
    question.what === "machine"
      ? book.current.find(({ provider, typeName }) => provider === "lambda" && typeName === question.type)
      : undefined;
  const [, model = "A100", memory = "40"] = /^(.+) (\d+(?:\.\d+)?)$/.exec(question.gpu) ?? [];
  const card = machine ? gpuKind(machine.gpu) : null;
  const micros = (usd: string) => (usd === "" ? null : microsOf(usd));
  return {
    model: card?.model ?? model,
    memoryGb: machine?.gpuMemoryGb ?? Number(memory),
    board: question.what === "job" ? (question.board ?? null) : (card?.board ?? null),
    gpus: machine?.gpus ?? question.gpus,
    hours: parseDecimal(question.what === "machine" ? MONTH_HOURS : question.hours),
    firmness: question.tier === "spot" ? "interruptible" : "firm",
    storageGib: parseDecimal(question.storage),
    egressGb: parseDecimal(question.egress),
    storageMicrosPerGibMonth: micros(question.storageUsd),
    egressMicrosPerGb: micros(question.egressUsd),
    lambdaStorageMicros: storage?.micros ?? null,
  };
}

function microsOf(usd: string): bigint {
  const { numerator, denominator } = parseDecimal(usd);
  return (numerator * 1_000_000n) / denominator;
}

async function fleetOf(
  ctx: Ctx,
  { month: asked, to }: CompareQuestion,
  book: Book,
  zone: string,
): Promise<NonNullable<CompareAnswer["fleet"]>> {
  const months = (await listLambdaMonths(FIRST_MONTH)).map(({ month }) => month);
  const running = monthOf(ctx.now.getTime(), zone);
  const last = months.find((month) => month < running) ?? running;
  const month = asked !== undefined && months.includes(asked) ? asked : last;
  const uses = await listTypeUse(month);
  const moved = moveFleet(
    uses.map((use) => ({
      ...use,
      gpu: use.description?.replace(/^\d+x /, "") || (use.gpuModel ?? use.typeName),
      micros: use.unknownRows > 0 ? null : use.micros,
    })),
    book.current,
    to === "" ? null : to,
  );
  const used = moved.rows.flatMap(({ offer }) => (offer ? [offer] : []));
  return {
    month,
    months,
    rows: moved.rows.map((row) => movedView(row, book.day)),
    comparedMicros: moved.comparedMicros.toString(),
    elsewhereMicros: moved.elsewhereMicros.toString(),
    changeMicros: moved.changeMicros.toString(),
    change: fleetChange(moved),
    ...fleetSums(moved),
    coveredPct: moved.coveredPct,
    stale: used.filter((offer) => stateOf(offer, book.day) === "stale").length,
    used: used.length,
    unknownRows: uses.reduce((total, { unknownRows }) => total + unknownRows, 0),
  };
}

function typesOf(quotes: readonly Quote[]): CompareAnswer["types"] {
  return quotes
    .filter(({ provider, unit }) => provider === "lambda" && unit === "instance")
    .map(({ typeName, gpu }) => ({ name: typeName, gpu }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function providersOf(quotes: readonly Quote[]): CompareAnswer["providers"] {
  const keys = [...new Set(quotes.map(({ provider }) => provider))].filter((key) => key !== "lambda");
  return keys.map((key) => ({ key, name: providerName(key) })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
