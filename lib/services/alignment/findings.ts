import {
  acceptFinding,
  assignFinding,
  findFinding,
  reopenFinding,
  type StoredFinding,
} from "@/lib/db/alignment/findings";
import { mutate } from "@/lib/db/mutate";
import { findPerson } from "@/lib/db/people";
import { authorize, type Ctx } from "@/lib/domain/access";
import { FACT_WORDS } from "@/lib/domain/alignment/check";
import type {
  AcceptFinding,
  AcceptFindings,
  AssignFinding,
  AssignFindings,
  FindingId,
  ReopenFindings,
} from "@/lib/domain/alignment/view";
import { AppError } from "@/lib/errors";

/** The longest that a difference may be borne without being looked at again. */
export const LONGEST_ACCEPT_MS = 366 * 24 * 3_600_000;

/** Bears a difference until a day. It stays a finding, raises no alert, and is open again afterwards, or when another value is seen. */
export async function acceptDrift(ctx: Ctx, { findingId, reason, until }: AcceptFinding): Promise<{ id: string }> {
  authorize(ctx, "alignment:write");
  const now = ctx.now.getTime();
  if (until <= now) throw new AppError("invalid", "Nothing was accepted.", { until: "lies in the past" });
  if (until - now > LONGEST_ACCEPT_MS)
    throw new AppError("invalid", "Nothing was accepted.", { until: "lies more than a year ahead" });
  const finding = await existing(findingId);
  const byId = ctx.actor.kind === "user" ? ctx.actor.id : null;
  return mutate(ctx, "alignment:write", async (tx) => {
    if (!(await acceptFinding(tx, findingId, { reason, until: new Date(until), byId }))) throw over(finding);
    return {
      action: "finding.accepted",
      ...subject(finding),
      before: { state: finding.state },
      after: { state: "accepted", until: new Date(until) },
      reason,
      result: { id: findingId },
    };
  });
}

/** Takes an acceptance back. */
export async function reopenDrift(ctx: Ctx, { findingId }: FindingId): Promise<{ id: string }> {
  authorize(ctx, "alignment:write");
  const finding = await existing(findingId);
  return mutate(ctx, "alignment:write", async (tx) => {
    if (!(await reopenFinding(tx, findingId))) throw over(finding);
    return {
      action: "finding.reopened",
      ...subject(finding),
      before: { state: finding.state },
      after: { state: "open" },
      result: { id: findingId },
    };
  });
}

/** Names who settles it. */
export async function assignDrift(ctx: Ctx, { findingId, personId }: AssignFinding): Promise<{ id: string }> {
  authorize(ctx, "alignment:write");
  const finding = await existing(findingId);
  const person = personId === null ? null : await findPerson(personId);
  if (personId !== null && !person)
    throw new AppError("invalid", "It was assigned to nobody.", { personId: "There is no such person" });
  return mutate(ctx, "alignment:write", async (tx) => {
    if (!(await assignFinding(tx, findingId, personId))) throw over(finding);
    return {
      action: "finding.assigned",
      ...subject(finding),
      before: { assignee: finding.assignee?.name ?? null },
      after: { assignee: person?.name ?? null },
      result: { id: findingId },
    };
  });
}

type Done = { done: number };

/** The same difference of several machines; one that was settled meanwhile keeps none of the others from it. */
export async function acceptDrifts(ctx: Ctx, { findingIds, ...how }: AcceptFindings): Promise<Done> {
  return each(ctx, findingIds, (findingId) => acceptDrift(ctx, { findingId, ...how }));
}

export async function reopenDrifts(ctx: Ctx, { findingIds }: ReopenFindings): Promise<Done> {
  return each(ctx, findingIds, (findingId) => reopenDrift(ctx, { findingId }));
}

export async function assignDrifts(ctx: Ctx, { findingIds, personId }: AssignFindings): Promise<Done> {
  return each(ctx, findingIds, (findingId) => assignDrift(ctx, { findingId, personId }));
}

async function each(ctx: Ctx, ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<Done> {
  authorize(ctx, "alignment:write");
  let done = 0;
  let refusal: AppError | null = null;
  for (const id of new Set(ids)) {
    try {
      await act(id);
      done += 1;
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "invalid") throw error;
      refusal = error;
    }
  }
  if (done === 0 && refusal) throw refusal;
  return { done };
}

async function existing(id: string): Promise<StoredFinding> {
  const finding = await findFinding(id);
  if (!finding)
    throw new AppError("not-found", "There is no such finding. It may have been settled; nothing was changed.");
  return finding;
}

function subject({ id, fact, told }: StoredFinding) {
  return { subjectKind: "finding", subjectId: id, subject: `${FACT_WORDS[fact]}, ${told.target}` };
}

function over({ state }: StoredFinding): AppError {
  return new AppError(
    "conflict",
    state === "pending"
      ? "Only one poll has seen it so far. Wait for the next; nothing was changed."
      : "It was settled or changed meanwhile; nothing was changed. Load the page again.",
  );
}
