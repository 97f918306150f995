import { currentDeclaration } from "@/lib/db/alignment/declarations";
import {
  agreeFindings,
  dropFindings,
  listStandings,
  lockFindings,
  settleFindings,
  writeFindings,
} from "@/lib/db/alignment/findings";
import { type Client, transact } from "@/lib/db/client";
import { findConnection } from "@/lib/db/fleet/connection";
import { writeAudit } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import { type Check, FACT_WORDS, keyOf } from "@/lib/domain/alignment/check";
import type { Declaration } from "@/lib/domain/alignment/declaration";
import { checksOf } from "@/lib/domain/alignment/engine";
import type { Observed } from "@/lib/domain/alignment/observed";
import { stepsOf } from "@/lib/domain/alignment/standing";
import type { StoredDeclaration } from "@/lib/domain/alignment/view";
import { observe } from "./observe";

/** The poll that was judged last, against which declaration: every five seconds nothing is done twice. */
let judged = "";

/** Judges every good poll of the fleet once, as soon as it is in. A poll that failed is none, and concludes nothing. */
export async function checkAlignment(ctx: Ctx): Promise<void> {
  const connection = await findConnection();
  const pollAt = connection?.lastOkAt?.getTime() ?? null;
  const stored = pollAt === null ? null : await currentDeclaration();
  if (pollAt === null || !stored) return;
  const turn = `${connection?.id} ${pollAt} ${stored.version}`;
  if (turn === judged) return;
  const checks = await checksNow(stored, ctx.now, pollAt);
  await transact(async (tx) => {
    await lockFindings(tx);
    // Declared anew meanwhile: that was judged with it.
    if ((await currentDeclaration(tx))?.version === stored.version)
      await applyChecks(tx, ctx, stored.version, checks, pollAt);
  });
  judged = turn;
}

/** The same at once for a declaration that is written in this transaction: what holds no more is over before the next poll. */
export async function judgeDeclared(
  tx: Client,
  ctx: Ctx,
  declared: { declaration: Declaration; version: number },
  observed: Observed,
): Promise<void> {
  await lockFindings(tx);
  const checks = checksOf({ ...declared, at: ctx.now.getTime() }, observed);
  await applyChecks(tx, ctx, declared.version, checks, observed.at);
}

/** Every check of the fleet as it was seen last, against one declaration. */
export async function checksNow(stored: StoredDeclaration, now: Date, pollAt: number): Promise<Check[]> {
  return checksOf(declaredOf(stored), await observe(now, pollAt));
}

export function declaredOf({ parsed, version, at }: StoredDeclaration) {
  return { declaration: parsed, version, at };
}

async function applyChecks(
  tx: Client,
  ctx: Ctx,
  version: number,
  checks: readonly Check[],
  pollAt: number,
): Promise<void> {
  const stored = await listStandings(tx);
  const byKey = new Map(stored.map((finding) => [finding.key, finding]));
  const steps = stepsOf(stored, checks, pollAt);
  const idsOf = (kind: "agree" | "settle" | "drop") =>
    steps.flatMap(({ before, step }) => {
      const id = before && step.kind === kind ? byKey.get(before.key)?.id : undefined;
      return id === undefined ? [] : [id];
    });
  await agreeFindings(tx, idsOf("agree"), pollAt);
  await dropFindings(tx, idsOf("drop"));
  const settled = idsOf("settle");
  await settleFindings(tx, settled, ctx.now);
  await writeFindings(
    tx,
    version,
    steps.flatMap(({ before, step }) =>
      step.kind === "write"
        ? [{ id: before ? (byKey.get(before.key)?.id ?? null) : null, standing: step.standing, check: step.check }]
        : [],
    ),
  );
  const opened = steps.flatMap(({ before, step }) =>
    step.kind === "write" && step.standing.state === "open" && before?.state === "pending" ? [step.check] : [],
  );
  await tell(tx, ctx, opened, settled.length);
}

/** One line in Activity per poll that changed something, whatever the number of machines. */
async function tell(tx: Client, ctx: Ctx, opened: readonly Check[], settled: number): Promise<void> {
  if (opened.length === 0 && settled === 0) return;
  const [first] = opened;
  const facts = [...new Set(opened.map(({ fact }) => FACT_WORDS[fact]))].join(", ");
  await writeAudit(tx, ctx, {
    action: opened.length > 0 ? "alignment.found" : "alignment.settled",
    subjectKind: "alignment",
    subjectId: first ? keyOf(first) : "fleet",
    subject: first && opened.length === 1 ? (first.machine ?? first.group ?? "The fleet") : "The fleet",
    after: { opened: opened.length, settled },
    reason: opened.length > 0 ? `${facts}: not as declared in two polls.` : null,
  });
}
