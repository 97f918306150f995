import { mutate } from "@/lib/db/mutate";
import { listLambdaMonths, listOtherSpend, removeOtherSpend, writeOtherSpend } from "@/lib/db/plan/other-spend";
import { forgetSetting, readSetting, readSettingNow, writeSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { monthOf } from "@/lib/domain/cost/zone";
import {
  mixOf,
  type NewSpend,
  readSpendFile,
  type SpendFile,
  type SpendKey,
  type TargetsText,
} from "@/lib/domain/plan/mix";
import type { MixAnswer, MixQuestion, SpendPreview } from "@/lib/domain/plan/mix-view";
import { providerName } from "@/lib/domain/plan/quotes";
import { AppError } from "@/lib/errors";

const MONTHS_SHOWN = 12;
const personId = ({ actor }: Ctx) => (actor.kind === "user" ? actor.id : null);

/** What was spent where in a month, beside what should have been. */
export async function readMix(ctx: Ctx, { month: asked }: MixQuestion): Promise<MixAnswer> {
  authorize(ctx, "cost:read");
  const { zone } = await readSetting("accounting");
  const running = monthOf(ctx.now.getTime(), zone);
  const months = monthsTo(running, MONTHS_SHOWN);
  const first = months.at(-1) ?? running;
  const [{ targets }, lambda, others] = await Promise.all([
    readSettingNow("providerMix"),
    listLambdaMonths(first),
    listOtherSpend(),
  ]);
  const known = new Set([...lambda.map((one) => one.month), ...others.map((one) => one.month)]);
  const last = months.find((one) => one < running && known.has(one)) ?? running;
  const month = asked !== undefined && (months.includes(asked) || known.has(asked)) ? asked : last;
  const spendOf = (of: string): Record<string, bigint> => {
    const own = lambda.find((one) => one.month === of);
    const rest = others.filter((one) => one.month === of).map(({ provider, micros }) => [provider, micros] as const);
    return { ...(own && { lambda: own.micros }), ...Object.fromEntries(rest) };
  };
  const { parts, totalMicros, isPartial } = mixOf(spendOf(month), targets);
  const providers = [...new Set(["lambda", ...Object.keys(targets), ...others.map(({ provider }) => provider)])];
  return {
    now: ctx.now.getTime(),
    month,
    months: [...new Set([...months, ...known])].sort().reverse(),
    isRunning: month === running,
    targets,
    targetsText: Object.entries(targets)
      .map(([provider, share]) => `${providerName(provider)} ${share}`)
      .join("\n"),
    parts: parts.map(({ micros, moveMicros, ...part }) => ({
      ...part,
      name: providerName(part.provider),
      micros: micros?.toString() ?? null,
      moveMicros: moveMicros?.toString() ?? null,
      source: part.provider === "lambda" ? "ledger" : micros === null ? "no data" : "typed or imported",
    })),
    totalMicros: totalMicros.toString(),
    isPartial,
    unknownRows: lambda.find((one) => one.month === month)?.unknownRows ?? 0,
    spends: others.map(({ micros, updatedAt, ...one }) => ({
      ...one,
      name: providerName(one.provider),
      micros: micros.toString(),
      at: updatedAt.getTime(),
    })),
    history: months.map((of) => {
      const spend = spendOf(of);
      return {
        month: of,
        micros: Object.fromEntries(providers.map((provider) => [provider, spend[provider]?.toString() ?? null])),
      };
    }),
  };
}

/** The running month and those before it, the newest first. */
function monthsTo(month: string, count: number): string[] {
  const [year = 1970, of = 1] = month.split("-").map(Number);
  return Array.from({ length: count }, (_, i) => {
    const index = year * 12 + of - 1 - i;
    return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
  });
}

/** Which share each provider should have; nothing: no targets. */
export async function setTargets(ctx: Ctx, { text: targets }: TargetsText): Promise<null> {
  const result = await mutate(ctx, "price:write", async (tx) => {
    const before = await readSettingNow("providerMix", tx);
    await writeSetting(tx, "providerMix", { targets }, ctx.now);
    return {
      action: "setting.changed",
      subjectKind: "setting",
      subjectId: "providerMix",
      subject: "Shares of providers",
      before: before.targets,
      after: targets,
      result: null,
    };
  });
  forgetSetting("providerMix");
  return result;
}

/** Another provider's bill of a month; said again it takes the place of what was said. */
export async function enterSpend(ctx: Ctx, { amount, ...spend }: NewSpend): Promise<null> {
  authorize(ctx, "price:write");
  await refuseFuture(ctx, spend.month);
  return mutate(ctx, "price:write", async (tx) => {
    const [before] = await writeOtherSpend(tx, [{ ...spend, micros: amount }], personId(ctx), ctx.now);
    return {
      action: "spend.entered",
      subjectKind: "spend",
      subjectId: `${spend.provider} ${spend.month}`,
      subject: `${providerName(spend.provider)}, ${spend.month}`,
      before: before == null ? null : { micros: before },
      after: { micros: amount },
      reason: spend.note || null,
      result: null,
    };
  });
}

async function refuseFuture(ctx: Ctx, month: string): Promise<void> {
  const { zone } = await readSetting("accounting");
  if (month > monthOf(ctx.now.getTime(), zone))
    throw new AppError("invalid", "Some of it cannot be read; nothing was changed.", { month: "is yet to come" });
}

/** What a file of bills would write; nothing is written. */
export async function previewSpend(ctx: Ctx, { text }: SpendFile): Promise<SpendPreview> {
  authorize(ctx, "price:write");
  const { zone } = await readSetting("accounting");
  const { lines, errors } = readSpendFile(text, monthOf(ctx.now.getTime(), zone));
  const known = new Map((await listOtherSpend()).map((one) => [`${one.provider} ${one.month}`, one.micros]));
  return {
    lines: lines.map(({ micros, ...line }) => ({
      ...line,
      micros: micros.toString(),
      beforeMicros: known.get(`${line.provider} ${line.month}`)?.toString() ?? null,
    })),
    errors,
  };
}

/** Writes a whole file of bills or nothing of it. */
export async function importSpend(ctx: Ctx, { text }: SpendFile): Promise<{ lines: number }> {
  authorize(ctx, "price:write");
  const { zone } = await readSetting("accounting");
  const { lines, errors } = readSpendFile(text, monthOf(ctx.now.getTime(), zone));
  const [first] = errors;
  if (first)
    throw new AppError(
      "invalid",
      `Line ${first.line}: ${first.message} ${errors.length > 1 ? `${errors.length - 1} more lines are wrong. ` : ""}Nothing was imported.`,
    );
  return mutate(ctx, "price:write", async (tx) => {
    await writeOtherSpend(
      tx,
      lines.map(({ line: _, ...spend }) => spend),
      personId(ctx),
      ctx.now,
    );
    return {
      action: "spend.imported",
      subjectKind: "spend",
      subjectId: "file",
      subject: `${lines.length} ${lines.length === 1 ? "bill" : "bills"} of other providers`,
      after: { lines: lines.length },
      result: { lines: lines.length },
    };
  });
}

/** Takes a bill back: there is no data again. */
export async function removeSpend(ctx: Ctx, { provider, month }: SpendKey): Promise<null> {
  return mutate(ctx, "price:write", async (tx) => {
    const before = await removeOtherSpend(tx, provider, month);
    if (before === null) throw new AppError("not-found", "There is no such bill any more. Nothing was changed.");
    return {
      action: "spend.withdrawn",
      subjectKind: "spend",
      subjectId: `${provider} ${month}`,
      subject: `${providerName(provider)}, ${month}`,
      before: { micros: before },
      result: null,
    };
  });
}
