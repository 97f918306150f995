import { currentDeclaration } from "@/lib/db/alignment/declarations";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  calendarOf,
  migrationEndsAt,
  quarterEnd,
  quarterOf,
  REVIEW_POINTS,
  Review,
} from "@/lib/domain/alignment/calendar";
import { type Check, type Fact, worstOf } from "@/lib/domain/alignment/check";
import { deprecationOf } from "@/lib/domain/alignment/check-software";
import { policyOf } from "@/lib/domain/alignment/declaration";
import { checksOf } from "@/lib/domain/alignment/engine";
import { membersOf, type ObservedMachine } from "@/lib/domain/alignment/observed";
import type {
  EndMigration,
  FactLineOfPolicy,
  SignReview,
  SoftwareAnswer,
  StartMigration,
} from "@/lib/domain/alignment/view";
import { AppError } from "@/lib/errors";
import { savedNoun } from "@/lib/services/saved/saved";
import { declaredOf } from "./check";
import { lastPoll } from "./declare";
import { observe } from "./observe";

const reviews = savedNoun({
  kind: "review",
  called: "review",
  body: Review,
  write: "alignment:write",
  isCommon: true,
});

const SOFTWARE_FACTS: ReadonlySet<Fact> = new Set(["driver", "cuda", "pytorch", "image", "capability"]);

/** Software policies against what machines run, what is deprecated until when, and what was signed. */
export async function readSoftware(ctx: Ctx): Promise<SoftwareAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const [stored, kept] = await Promise.all([currentDeclaration(), reviews.list(ctx)]);
  const quarter = quarterOf(now);
  const base = {
    now,
    quarter,
    dueAt: quarterEnd(quarter),
    reviews: kept.flatMap(({ id, version, body }) => (body.type === "quarter" ? [{ id, version, body }] : [])),
    migrations: kept.flatMap(({ id, version, body }) =>
      body.type === "migration" ? [{ id, version, body, endsAt: migrationEndsAt(body) }] : [],
    ),
  };
  if (!stored) return { ...base, policies: [], lines: [], calendar: [] };
  const { parsed: declaration } = stored;
  const observed = await observe(ctx.now, await lastPoll(ctx));
  const { members } = membersOf(declaration, observed.machines);
  const checks = checksOf(declaredOf(stored), observed).filter(({ fact }) => SOFTWARE_FACTS.has(fact));
  const machinesOf = (policy: string): ObservedMachine[] =>
    declaration.groups
      .filter((group) => policyOf(declaration, group)?.name === policy)
      .flatMap(({ name }) => members.get(name) ?? []);
  return {
    ...base,
    policies: declaration.software.map((policy) => ({
      ...policy,
      groups: declaration.groups.filter(({ software }) => software === policy.name).map(({ name }) => name),
    })),
    lines: declaration.software.flatMap((policy) => {
      const groups = new Set(
        declaration.groups.filter(({ software }) => software === policy.name).map(({ name }) => name),
      );
      return linesOf(
        policy.name,
        checks.filter(({ group }) => group !== null && groups.has(group)),
      );
    }),
    calendar: calendarOf(
      declaration,
      (policy, part, version) =>
        machinesOf(policy)
          .filter((machine) => {
            const said = partOf(machine, part);
            const single = { deprecated: [{ part, version, until: "9999-12-31" }] };
            return said !== null && deprecationOf(single, part, said, now) !== null;
          })
          .map(({ name }) => name),
      now,
    ),
  };
}

function partOf(machine: ObservedMachine, part: "driver" | "cuda" | "pytorch" | "image"): string | null {
  if (part === "driver")
    return machine.cards.find(({ driver }) => driver !== null)?.driver ?? machine.driver?.value ?? null;
  return machine[part]?.value ?? null;
}

/** How many machines of a policy run which version. */
function linesOf(policy: string, checks: readonly Check[]): FactLineOfPolicy[] {
  const lines = new Map<string, { checks: Check[]; fact: Fact; value: string | null }>();
  for (const check of checks) {
    const key = `${check.fact} ${check.observed ?? ""}`;
    const known = lines.get(key);
    if (known) known.checks.push(check);
    else lines.set(key, { checks: [check], fact: check.fact, value: check.observed });
  }
  return [...lines.values()]
    .map(({ checks: own, fact, value }) => {
      const differing = own.filter(({ state }) => state === "differs");
      const state = differing.length > 0 ? ("differs" as const) : (own[0]?.state ?? "unverified");
      return {
        policy,
        fact,
        value,
        machines: own.length,
        state,
        severity: worstOf(differing.map((one) => one.severity)),
      };
    })
    .sort((a, b) => a.fact.localeCompare(b.fact) || (a.value ?? "").localeCompare(b.value ?? ""));
}

/** Signs the review of a quarter. All of its points must have been looked at. */
export async function signReview(ctx: Ctx, { quarter, points, remark }: SignReview): Promise<{ id: string }> {
  authorize(ctx, "alignment:write");
  const left = REVIEW_POINTS.filter(({ id }) => !points.includes(id));
  if (left.length > 0)
    throw new AppError("invalid", `Not signed: ${left.length} of ${REVIEW_POINTS.length} points are not ticked.`, {
      points: "tick every point that you looked at",
    });
  if (quarter > quarterOf(ctx.now.getTime()))
    throw new AppError("invalid", "Not signed: that quarter has not begun.", { quarter: "lies ahead" });
  const known = (await reviews.list(ctx)).find(({ body }) => body.type === "quarter" && body.quarter === quarter);
  if (known) throw new AppError("conflict", `The review of ${quarter} is signed already; nothing was changed.`);
  const signed = { type: "quarter" as const, quarter, points, remark };
  const body = { ...signed, signedBy: ctx.actor.name, signedAt: ctx.now.getTime() };
  return reviews.create(ctx, { name: `Software review ${quarter}`, isShared: true, body });
}

/** Begins an emergency migration: four weeks are counted down from now. */
export async function startMigration(ctx: Ctx, { what, reason }: StartMigration): Promise<{ id: string }> {
  authorize(ctx, "alignment:write");
  const startedAt = ctx.now.getTime();
  const body = { type: "migration" as const, what, reason, startedAt, doneAt: null, startedBy: ctx.actor.name };
  return reviews.create(ctx, { name: `Migration: ${what}`, isShared: true, body });
}

export async function endMigration(ctx: Ctx, { migrationId: id }: EndMigration): Promise<{ id: string }> {
  authorize(ctx, "alignment:write");
  const { name, version, body } = await reviews.find(ctx, { id });
  if (body.type !== "migration") throw new AppError("not-found", "There is no such migration. Nothing was changed.");
  if (body.doneAt !== null) throw new AppError("conflict", "It is over already; nothing was changed.");
  return reviews.change(ctx, { id, version, name, isShared: true, body: { ...body, doneAt: ctx.now.getTime() } });
}
