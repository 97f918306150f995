import { listBatch, lockOpenIntentOf } from "@/lib/db/intents";
import { type Entry, mutate, writeAudit } from "@/lib/db/mutate";
import { authorize, type Ctx, can, requireFreshSignIn } from "@/lib/domain/access";
import { sum } from "@/lib/domain/cost/money";
import type {
  BatchAnswer,
  BatchOutcome,
  ChangeEvidence,
  DryRun,
  DryRunAnswer,
  RequestBatch,
} from "@/lib/domain/intents/change";
import { batchConfirmation } from "@/lib/domain/intents/many";
import { AppError } from "@/lib/errors";
import { SPACING_MS } from "@/lib/services/fleet/lambda";
import { houseOf, refusalOf, writeChange } from "./change";
import { gather } from "./evidence";
import { derivedId } from "./hash";

type Asked = DryRun["machines"][number];
type Judged = { asked: Asked; evidence: ChangeEvidence | null; outcome: BatchOutcome };

/**
 * Asks for the end of several machines: one intent each, all written in one transaction or none. Those that must not end, or that
 * changed since they were shown, are left out and said; the others go. The same batch id again is the same batch.
 */
export async function requestBatch(ctx: Ctx, input: RequestBatch): Promise<BatchAnswer> {
  authorize(ctx, "intent:terminate-many");
  const known = await listBatch(input.batchId);
  if (known.length > 0)
    return {
      id: input.batchId,
      outcomes: known.map((intent) => ({
        instanceId: intent.targetId ?? intent.id,
        name: intent.request.name ?? intent.id,
        outcome: intent.state === "awaiting_approval" ? "approval" : "send",
        words: "Asked for before, by this batch.",
        intentId: intent.id,
      })),
    };
  const count = batchConfirmation(input.machines.length);
  if (input.confirmation.trim() !== count)
    throw new AppError("invalid", "What was typed does not match. Nothing was sent.", {
      confirmation: `Type the number of instances, ${count}.`,
    });
  const house = await houseOf(ctx);
  const judged = await judge(ctx, input);
  const outcomes = judged.map(({ outcome }) => outcome);
  const going = judged.flatMap(({ asked, evidence, outcome }) =>
    evidence && (outcome.outcome === "send" || outcome.outcome === "approval") ? [{ asked, evidence, outcome }] : [],
  );
  const [only] = outcomes;
  if (going.length === 0)
    throw new AppError(
      "conflict",
      `Nothing was sent. ${outcomes.length === 1 ? only?.words : `None of the ${count} instances can be ended: ${only?.name}: ${only?.words}`}`,
    );
  return mutate(ctx, "intent:terminate-many", async (tx) => {
    const entries: Entry[] = [];
    // Two batches that meet lock in the same order.
    for (const { asked, evidence, outcome } of [...going].sort((a, b) =>
      a.evidence.instanceId < b.evidence.instanceId ? -1 : 1,
    )) {
      const intentId = derivedId(input.batchId, asked.instanceId);
      const { batchId, ticked, reason } = input;
      const entry = await writeChange(tx, ctx, "terminate", evidence, {
        intentId,
        accepted: asked.accepted,
        ticked,
        reason,
        batchId,
        ...house,
      });
      if (entry) {
        outcome.intentId = intentId;
        entries.push(entry);
      } else {
        const other = await lockOpenIntentOf(tx, asked.instanceId, "terminate");
        outcome.outcome = "open";
        outcome.intentId = other?.id ?? null;
        outcome.words = `${other?.requestedBy ?? "Somebody"} asked for it a moment ago.`;
      }
    }
    for (const entry of entries) await writeAudit(tx, ctx, entry);
    const left = outcomes.filter(({ outcome }) => outcome === "refused" || outcome === "open");
    return {
      action: "batch.requested" as const,
      subjectKind: "batch",
      subjectId: input.batchId,
      subject: `${entries.length} of ${count} instances`,
      after: {
        instances: entries.map(({ subject }) => subject).join(", "),
        ...(left.length > 0 && { leftOut: left.map(({ name, words }) => `${name}: ${words}`).join(" ") }),
      },
      reason: input.reason || null,
      result: { id: input.batchId, outcomes },
    };
  });
}

/** What would be sent for these machines, in which order and how long it takes, and what would be refused. Writes nothing. */
export async function dryRunTerminate(ctx: Ctx, input: DryRun): Promise<DryRunAnswer> {
  authorize(ctx, "intent:terminate");
  if (input.machines.length > 1 && !can(ctx.actor, "intent:terminate-many"))
    throw new AppError("forbidden", "Your role does not allow to end several instances at once.");
  const judged = await judge(ctx, input);
  const sent = judged.flatMap(({ evidence, outcome }) =>
    evidence && (outcome.outcome === "send" || outcome.outcome === "approval") ? [evidence] : [],
  );
  const calls = sent.flatMap<DryRunAnswer["calls"][number]>(({ externalId }) => [
    { method: "GET", path: `/instances/${externalId}`, body: null },
    { method: "POST", path: "/instance-operations/terminate", body: { instance_ids: [externalId] } },
  ]);
  return {
    now: ctx.now.getTime(),
    outcomes: judged.map(({ outcome }) => outcome),
    calls,
    seconds: Math.ceil((calls.length * SPACING_MS) / 1000),
    microsPerHour: sum(sent.map(({ priceMicros }) => BigInt(priceMicros ?? "0"))).toString(),
  };
}

/** What becomes of each, by evidence that is read now. */
async function judge(ctx: Ctx, { machines, ticked }: Pick<DryRun, "machines" | "ticked">): Promise<Judged[]> {
  const { found, refused } = await gather(
    ctx,
    machines.map(({ instanceId }) => instanceId),
    "terminate",
    false,
  );
  const judged = machines.map((asked): Judged => {
    const evidence = found.find(({ instanceId }) => instanceId === asked.instanceId) ?? null;
    const gone = refused.find(({ instanceId }) => instanceId === asked.instanceId);
    return { asked, evidence, outcome: outcomeOf(asked, ticked, evidence, gone?.words) };
  });
  if (judged.some(({ evidence }) => evidence?.protection)) requireFreshSignIn(ctx);
  return judged;
}

function outcomeOf(
  asked: Asked,
  ticked: string[],
  evidence: ChangeEvidence | null,
  gone: string | undefined,
): BatchOutcome {
  const { instanceId } = asked;
  const refused = (words: string): BatchOutcome => ({
    instanceId,
    name: evidence?.name ?? asked.seen.name,
    outcome: "refused",
    words,
    intentId: null,
  });
  if (!evidence) return refused(gone ?? "There is no such instance, or it was never seen here.");
  if (evidence.denied) return refused(evidence.denied);
  const { name, open, approval } = evidence;
  if (open) return { instanceId, name, outcome: "open", words: `${open.by} asked for it already.`, intentId: open.id };
  const refusal = refusalOf("terminate", evidence, { ...asked, ticked });
  if (refusal) return refused(refusal.message.replace(/ (Look again; n|N)othing was sent\.$/, ""));
  return approval
    ? { instanceId, name, outcome: "approval", words: approval.reason, intentId: null }
    : { instanceId, name, outcome: "send", words: "Sent when its turn comes.", intentId: null };
}
