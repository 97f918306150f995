import { mutate } from "@/lib/db/mutate";
import { measuredLambda } from "@/lib/db/plan/measured";
import { listedPrices, listQuotes, removeQuote, type StoredQuote, writeQuotes } from "@/lib/db/plan/quotes";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf, dayRange } from "@/lib/domain/cost/zone";
import { BUNDLED_QUOTES, CATALOGUE_DAY } from "@/lib/domain/plan/catalogue";
import { type ProviderFacts, providerViews } from "@/lib/domain/plan/providers";
import {
  type NewQuote,
  type QuoteFile,
  type QuoteId,
  type QuotePreview,
  type QuoteVerdict,
  quoteKey,
  readQuoteFile,
} from "@/lib/domain/plan/quote-input";
import { type QuotesAnswer, type QuotesQuestion, quoteView } from "@/lib/domain/plan/quote-view";
import { bookOn, multipleDoubts, providerName, type Quote } from "@/lib/domain/plan/quotes";
import { AppError } from "@/lib/errors";

const DAY_MS = 86_400_000;
const MEASURED_DAYS = 30;

const personId = ({ actor }: Ctx) => (actor.kind === "user" ? actor.id : null);

const LIVE_SOURCES: Readonly<Record<string, string>> = {
  api: "Lambda’s list",
  manual: "Cost, price book: by hand",
  csv: "Cost, price book: file",
};

export type Book = {
  /** The accounting day that it is of. */
  day: string;
  today: string;
  /** Everything that was ever said of prices, what people entered in the place of what is bundled. */
  all: (Quote & { by?: string | null })[];
  /** What stood on that day. */
  current: Quote[];
};

/** The price book of all providers as it was known on a day, today where none is said. Whoever calls has asked for the right. */
export async function readBook(ctx: Ctx, on?: string): Promise<Book> {
  const { zone } = await readSetting("accounting");
  const today = dayOf(ctx.now.getTime(), zone);
  const day = on !== undefined && on < today ? on : today;
  const at = day === today ? ctx.now : new Date(dayRange(day, zone).to - 1);
  const [entered, listed] = await Promise.all([listQuotes(), listedPrices(at)]);
  const live = listed.map((price): Quote => {
    const { priceId, typeName, description, gpuModel, source, seenAt, ...rest } = price;
    const seen = dayOf(seenAt.getTime(), zone);
    return {
      ...rest,
      id: `live-${priceId}`,
      provider: "lambda",
      typeName,
      region: "",
      tier: "on_demand",
      unit: "instance",
      gpu: description.replace(/^\d+x /, "") || (gpuModel ?? ""),
      status: "confirmed",
      source: LIVE_SOURCES[source] ?? "Lambda, as billed",
      asOf: earlier(seen, day),
      note: "",
      // A type that the list has no more keeps its last price, which then has its age.
      origin: day === today && ctx.now.getTime() - seenAt.getTime() < DAY_MS ? "live" : "entered",
    };
  });
  const all = [...live, ...merged(entered)];
  return { day, today, all, current: bookOn(all, day) };
}

function earlier(a: string, b: string): string {
  return a.localeCompare(b) < 0 ? a : b;
}

/** What people entered takes the place of the same price among the bundled ones. */
function merged(entered: readonly StoredQuote[]): (Quote & { by?: string | null })[] {
  const own = new Set(entered.map(quoteKey));
  return [...entered, ...BUNDLED_QUOTES.filter((quote) => !own.has(quoteKey(quote)))];
}

/** What our own looks of the last days say of Lambda. Whoever calls has asked for the right. */
export async function readProvider(ctx: Ctx): Promise<ProviderFacts> {
  const since = new Date(ctx.now.getTime() - MEASURED_DAYS * DAY_MS);
  return { days: MEASURED_DAYS, ...(await measuredLambda(since)) };
}

export async function readQuotes(ctx: Ctx, { on }: QuotesQuestion): Promise<QuotesAnswer> {
  authorize(ctx, "cost:read");
  const [{ day, all, current }, measured] = await Promise.all([readBook(ctx, on), readProvider(ctx)]);
  const standing = new Set(current.map(({ id }) => id));
  const known = all.filter(({ asOf }) => asOf === null || asOf <= day);
  return {
    now: ctx.now.getTime(),
    day,
    catalogueDay: CATALOGUE_DAY,
    quotes: known.map((quote) => quoteView(quote, day, standing.has(quote.id))),
    doubts: multipleDoubts(known.filter(({ status }) => status !== "rejected")),
    providers: providerViews(current, measured, day),
  };
}

/** A price by hand. The same thing, day and source entered again takes the place of what was there. */
export async function addQuote(ctx: Ctx, { price, ...input }: NewQuote): Promise<null> {
  authorize(ctx, "price:write");
  const { zone } = await readSetting("accounting");
  if (input.asOf > dayOf(ctx.now.getTime(), zone))
    throw new AppError("invalid", "Some of it cannot be read; nothing was changed.", { asOf: "is yet to come" });
  return mutate(ctx, "price:write", async (tx) => {
    await writeQuotes(tx, [{ ...input, micros: price }], personId(ctx), ctx.now);
    return {
      action: "quote.entered",
      subjectKind: "quote",
      subjectId: input.provider,
      subject: `${providerName(input.provider)} ${input.typeName}`,
      after: { ...input, micros: price },
      reason: input.note || null,
      result: null,
    };
  });
}

/** What a file would write, line by line; nothing is written. */
export async function previewQuotes(ctx: Ctx, { text }: QuoteFile): Promise<QuotePreview> {
  authorize(ctx, "price:write");
  const { today, all } = await readBook(ctx);
  const { lines, errors } = readQuoteFile(text, today);
  const known = new Map(all.map((quote) => [quoteKey(quote), quote.micros]));
  return {
    lines: lines.map((quote) => {
      const { line, provider, typeName, tier, unit, asOf, micros } = quote;
      const before = known.get(quoteKey(quote));
      const change = before === undefined ? "new" : before === micros ? "same" : "changed";
      const beforeMicros = change === "changed" && before !== undefined ? before.toString() : null;
      return { line, provider, typeName, tier, unit, asOf, micros: micros.toString(), change, beforeMicros };
    }),
    errors,
  };
}

/** Writes a whole file or nothing of it. What stands there already is not written again. */
export async function importQuotes(ctx: Ctx, { text }: QuoteFile): Promise<{ written: number; same: number }> {
  authorize(ctx, "price:write");
  const { today, all } = await readBook(ctx);
  const { lines, errors } = readQuoteFile(text, today);
  const [first] = errors;
  if (first)
    throw new AppError(
      "invalid",
      `Line ${first.line}: ${first.message} ${errors.length > 1 ? `${errors.length - 1} more lines are wrong. ` : ""}Nothing was imported.`,
    );
  const known = new Map(all.map((quote) => [quoteKey(quote), quote.micros]));
  const news = lines.filter((quote) => known.get(quoteKey(quote)) !== quote.micros);
  return mutate(ctx, "price:write", async (tx) => {
    await writeQuotes(
      tx,
      news.map(({ line: _, ...quote }) => quote),
      personId(ctx),
      ctx.now,
    );
    return {
      action: "quote.imported",
      subjectKind: "quote",
      subjectId: "file",
      subject: `${news.length} ${news.length === 1 ? "price" : "prices"} of ${new Set(news.map(({ provider }) => provider)).size} providers`,
      after: { written: news.length, same: lines.length - news.length },
      result: { written: news.length, same: lines.length - news.length },
    };
  });
}

/** Confirms, doubts or rejects a price; of a bundled one a copy with the verdict stands in its place. */
export async function judgeQuote(ctx: Ctx, { quoteId, status, note }: QuoteVerdict): Promise<null> {
  authorize(ctx, "price:write");
  const { all } = await readBook(ctx);
  const quote = all.find(({ id }) => id === quoteId);
  if (!quote) throw new AppError("not-found", "There is no such price any more. Nothing was changed.");
  if (quote.id.startsWith("live-"))
    throw new AppError("conflict", "This is what Lambda itself lists; there is nothing to judge. Nothing was changed.");
  const { id: _, origin: __, by: ___, asOf, ...rest } = quote;
  if (asOf === null)
    throw new AppError(
      "conflict",
      "This price has no day. Enter it anew with the day on which you looked; nothing was changed.",
    );
  return mutate(ctx, "price:write", async (tx) => {
    await writeQuotes(tx, [{ ...rest, asOf, status, note: note || rest.note }], personId(ctx), ctx.now);
    return {
      action: "quote.judged",
      subjectKind: "quote",
      subjectId: quoteId,
      subject: `${providerName(quote.provider)} ${quote.typeName}`,
      before: { status: quote.status },
      after: { status },
      reason: note || null,
      result: null,
    };
  });
}

/** Takes back what somebody entered; a bundled price that it stood for comes back. */
export async function withdrawQuote(ctx: Ctx, { quoteId }: QuoteId): Promise<null> {
  authorize(ctx, "price:write");
  const quote = (await listQuotes()).find(({ id }) => id === quoteId);
  return mutate(ctx, "price:write", async (tx) => {
    if (!quote || !(await removeQuote(tx, quoteId, ctx.now)))
      throw new AppError("not-found", "There is no such price any more. Nothing was changed.");
    return {
      action: "quote.withdrawn",
      subjectKind: "quote",
      subjectId: quoteId,
      subject: `${providerName(quote.provider)} ${quote.typeName}`,
      before: { micros: quote.micros, asOf: quote.asOf, source: quote.source },
      result: null,
    };
  });
}
