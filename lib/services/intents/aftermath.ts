import { currentPrice } from "@/lib/db/cost/prices";
import { findLife, findTerminationOf, listTokensOf } from "@/lib/db/fleet/aftermath";
import { EVERY_REGION } from "@/lib/db/fleet/catalog";
import { type InstanceFacts, listFilesystems, listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf } from "@/lib/domain/cost/zone";
import { formatStorage, formatUsd } from "@/lib/domain/format";
import { formatInstant } from "@/lib/domain/format-time";
import type { AfterCheck, AftermathAnswer, AftermathQuestion } from "@/lib/domain/intents/aftermath";
import { AppError } from "@/lib/errors";
import { STORAGE_SKU } from "@/lib/services/cost/meter";
import { ticksOf } from "./approvals";
import { attachedNames } from "./evidence-parts";
import { retiresAt } from "./retire";

const PROVIDER = "lambda";

/** Whether the end of a machine came true in everything that it touches: list, bill, storage, credentials. */
export async function readAftermath(ctx: Ctx, { instanceId }: AftermathQuestion): Promise<AftermathAnswer> {
  authorize(ctx, "fleet:read");
  const { zone } = await readSetting("accounting");
  const [facts] = await listInstances(dayOf(ctx.now.getTime(), zone), { ids: [instanceId] });
  if (!facts) throw new AppError("not-found", "There is no such instance, or it was never seen here.");
  const [life, ended, tokens, filesystems, storage] = await Promise.all([
    findLife(instanceId),
    findTerminationOf(instanceId),
    listTokensOf(instanceId),
    listFilesystems(),
    currentPrice({ provider: PROVIDER, sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month" }),
  ]);
  const instant = (at: Date) => formatInstant(at.getTime(), { timeZone: zone });
  return {
    now: ctx.now.getTime(),
    isGone: facts.goneAt !== null,
    checks: [
      listedCheck(facts, instant),
      billingCheck(facts, life, instant),
      storageCheck(facts, filesystems, storage?.micros ?? null),
      tokensCheck(facts, tokens, instant),
    ],
    ended: ended && {
      id: ended.id,
      by: ended.requestedBy,
      at: ended.createdAt.getTime(),
      reason: ended.reason,
      approvedBy: ended.approver,
      breakGlassReason: ended.breakGlassReason,
      concerns: Array.isArray(ended.plan.concerns) ? ended.plan.concerns.map(String) : [],
      checklist: ticksOf(ended.plan.checklist),
    },
    finalMicros: life.micros.toString(),
    zone,
  };
}

type Words = (at: Date) => string;

const REASONS: Record<string, string> = {
  terminated_here: "ended from here",
  terminated_outside: "ended outside of Hopperdeck",
  preempted: "taken back by Lambda",
  vanished: "and nobody says why",
};

function listedCheck({ goneAt, goneReason, name, status }: InstanceFacts, instant: Words): AfterCheck {
  if (goneAt === null)
    return {
      key: "listed",
      state: "waiting",
      title: "Still in Lambda’s list",
      detail: `Lambda calls it ${status}. It counts as gone after two good listings without it.`,
    };
  return {
    key: "listed",
    state: goneReason === "vanished" ? "problem" : "ok",
    title: "Gone from Lambda’s list",
    detail: `Not listed since ${instant(goneAt)}: ${name ?? "it"} was ${REASONS[goneReason ?? ""] ?? "ended"}.`.replace(
      "was and nobody",
      "went, and nobody",
    ),
  };
}

type Life = Awaited<ReturnType<typeof findLife>>;

function billingCheck({ goneAt }: InstanceFacts, life: Life, instant: Words): AfterCheck {
  const sum = formatUsd(life.micros);
  const doubt =
    life.unknownRows > 0
      ? ` ${life.unknownRows} rows have no known price and are not in it.`
      : life.lowMicros !== life.highMicros
        ? ` It could be ${formatUsd(life.lowMicros)} to ${formatUsd(life.highMicros)}: nobody saw the exact minute.`
        : "";
  if (goneAt === null && life.billTo === null)
    return { key: "billing", state: "waiting", title: "Still billing", detail: `${sum} so far.` };
  if (life.billTo === null)
    return {
      key: "billing",
      state: "waiting",
      title: "The end of its bill is being worked out",
      detail: `${sum} so far; the ledger follows within a minute.`,
    };
  return {
    key: "billing",
    state: "ok",
    title: life.isFinal ? `Billing stopped at ${sum}` : `Billing stopped, ${sum} in all`,
    detail: `Billed to ${instant(life.billTo)}.${doubt}${life.isFinal ? " This sum is final." : " It is final three days after the end, when Lambda’s log can say no more."}`,
  };
}

function storageCheck(
  facts: InstanceFacts,
  filesystems: Awaited<ReturnType<typeof listFilesystems>>,
  storageMicros: bigint | null,
): AfterCheck {
  const names = attachedNames(facts);
  const left = filesystems.filter((one) => names.includes(one.name ?? "") && one.region === facts.region);
  const orphans = left.filter(({ isAttached }) => isAttached === false);
  if (names.length === 0)
    return {
      key: "storage",
      state: "ok",
      title: "No file system was attached",
      detail: "Nothing of it is kept or bills.",
    };
  if (orphans.length === 0)
    return {
      key: "storage",
      state: "ok",
      title: left.length === 0 ? "Its file systems are gone too" : "Its file systems are in use elsewhere",
      detail: names.join(", "),
    };
  const cost = (bytes: bigint | null) =>
    storageMicros === null || bytes === null
      ? "its price is unknown"
      : `${formatUsd((storageMicros * bytes) / 1024n ** 3n)} a month`;
  return {
    key: "storage",
    state: facts.goneAt === null ? "waiting" : "problem",
    title: `No machine uses ${orphans.map(({ name }) => name).join(", ")}${facts.goneAt === null ? " besides this one" : " any more"}`,
    detail: `${orphans
      .map(
        ({ name, bytesUsed }) =>
          `${name}: ${bytesUsed === null ? "size unknown" : formatStorage(bytesUsed)}, ${cost(bytesUsed)}`,
      )
      .join("; ")}. It goes on billing until somebody deletes it.`,
  };
}

function tokensCheck(
  facts: InstanceFacts,
  tokens: Awaited<ReturnType<typeof listTokensOf>>,
  instant: Words,
): AfterCheck {
  if (tokens.length === 0)
    return {
      key: "tokens",
      state: "ok",
      title: "It had no token of its own",
      detail: "What it sent came by a shared ingest token, which others go on using.",
    };
  const live = tokens.filter(({ revokedAt }) => revokedAt === null);
  if (live.length === 0) {
    const last = Math.max(...tokens.map(({ revokedAt }) => revokedAt?.getTime() ?? 0));
    return {
      key: "tokens",
      state: "ok",
      title: "Its token is revoked",
      detail: `Nothing can speak in its name since ${instant(new Date(last))}.`,
    };
  }
  const at = retiresAt(facts);
  return {
    key: "tokens",
    state: "waiting",
    title: "Its token still works",
    detail:
      at === null
        ? "It is revoked when the machine is gone."
        : `It is revoked after ${instant(at)}, in case the machine turns up again.`,
  };
}
