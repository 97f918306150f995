import type { z } from "zod";
import { listBudgets } from "@/lib/db/cost/budgets";
import { listCatalog, listOffers } from "@/lib/db/fleet/catalog";
import { listInstances } from "@/lib/db/fleet/read";
import { type Look, listActs, listLooks, type StoredAct } from "@/lib/db/policies/acts";
import { findPolicy, listPolicies, listPolicyActs, listVersions, type StoredPolicy } from "@/lib/db/policies/policies";
import { listSaved } from "@/lib/db/saved";
import { readSetting, readSettingNow } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { sum } from "@/lib/domain/cost/money";
import { dayOf } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import { armableAt, POLICY_MODES } from "@/lib/domain/policies/kinds";
import { Machines, PARAMS, type Policy } from "@/lib/domain/policies/policy";
import type {
  ActRow,
  PoliciesAnswer,
  PolicyAnswer,
  PolicyChoices,
  PolicyId,
  PolicyRow,
  PolicyVersionRow,
  Tally,
} from "@/lib/domain/policies/view";
import { policyWords } from "@/lib/domain/policies/words";
import { AppError } from "@/lib/errors";

const DAY_MS = 24 * 3_600_000;
const ACTS_MS = 60 * DAY_MS;
const MOST_ACTS = 200;
const LAST_ACTS = 3;
const PROVIDER = "lambda";

/** Every standing policy: what it does now, what comes next, what it leaves alone and why, and what its week in shadow came to. */
export async function readPolicies(ctx: Ctx): Promise<PoliciesAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const [policies, looks, automation, acts, named, { zone }] = await Promise.all([
    listPolicies(),
    listLooks(),
    readSettingNow("automation"),
    listActs({ since: new Date(now - ACTS_MS) }),
    namesOfThings(ctx),
    readSetting("accounting"),
  ]);
  const own = groupBy(acts, ({ policyId }) => policyId);
  return {
    now,
    zone,
    automation,
    policies: policies.map((policy) => rowOf(policy, looks.get(policy.id) ?? null, own.get(policy.id) ?? [], named)),
  };
}

/** One policy with all that it decided, and how it came to say what it says. */
export async function readPolicy(ctx: Ctx, { policyId }: z.output<typeof PolicyId>): Promise<PolicyAnswer> {
  authorize(ctx, "fleet:read");
  const policy = await findPolicy(policyId);
  if (!policy) throw new AppError("not-found", "There is no such policy, or it was removed.");
  const [looks, automation, acts, named, versions, trail, { zone }] = await Promise.all([
    listLooks(),
    readSettingNow("automation"),
    listActs({ policyId, take: MOST_ACTS }),
    namesOfThings(ctx),
    listVersions(policyId),
    listPolicyActs(policyId),
    readSetting("accounting"),
  ]);
  const by = new Map(trail.map(({ at, actor }) => [at.getTime(), actor]));
  const current = { version: policy.version, at: new Date(policy.updatedAt), row: null };
  return {
    now: ctx.now.getTime(),
    zone,
    automation,
    policy: rowOf(policy, looks.get(policyId) ?? null, acts, named),
    draft: draftOf(policy),
    acts: acts.map(actOf),
    versions: [current, ...versions].flatMap(({ version, at, row }): PolicyVersionRow[] => {
      const then = row === null ? policy : pastOf(row, policy);
      if (then === null) return [];
      return [
        {
          version,
          at: at.getTime(),
          by: by.get(at.getTime()) ?? null,
          name: then.name,
          mode: then.mode,
          words: policyWords(then, named),
        },
      ];
    }),
  };
}

/** What a form may choose from. */
export async function readPolicyChoices(ctx: Ctx): Promise<PolicyChoices> {
  authorize(ctx, "fleet:read");
  const { zone } = await readSetting("accounting");
  const now = ctx.now.getTime();
  const [budgets, templates, facts, offered, regions] = await Promise.all([
    listBudgets(),
    templatesOf(ctx),
    listInstances(dayOf(now, zone), { goneSince: new Date(now - 30 * DAY_MS) }),
    listOffers(PROVIDER, ctx.now),
    listCatalog(["region"]),
  ]);
  const distinct = (words: readonly (string | null)[]) =>
    [...new Set(words.filter((word): word is string => word !== null && word !== ""))].sort();
  return {
    now,
    zone,
    budgets: budgets.map(({ id, name }) => ({ id, name })),
    templates: templates.map(({ id, name }) => ({ id, name })),
    teams: distinct(facts.map(({ team }) => team)),
    types: distinct([...offered.types.map(({ name }) => name), ...facts.map(({ typeName }) => typeName)]),
    regions: distinct(regions.map(({ name }) => name)),
    instances: distinct(facts.filter(({ goneAt }) => goneAt === null).map(({ name }) => name)),
  };
}

async function templatesOf(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  const owner = ctx.actor.kind === "user" ? ctx.actor.id : null;
  const items = await listSaved("launch_template", owner);
  return items.map(({ id, name }) => ({ id, name }));
}

async function namesOfThings(ctx: Ctx): Promise<Map<string, string>> {
  const [budgets, templates] = await Promise.all([listBudgets(), templatesOf(ctx)]);
  return new Map([...budgets, ...templates].map(({ id, name }) => [id, name]));
}

function rowOf(
  policy: StoredPolicy,
  look: Look | null,
  acts: readonly StoredAct[],
  named: ReadonlyMap<string, string>,
): PolicyRow {
  return {
    id: policy.id,
    kind: policy.kind,
    name: policy.name,
    mode: policy.mode,
    shadowSince: policy.shadowSince,
    armedAt: policy.armedAt,
    armedBy: policy.armedBy,
    armableAt: armableAt(policy),
    version: policy.version,
    words: policyWords(policy, named),
    lookedAt: look?.lookedAt ?? null,
    outlook: look?.outlook ?? [],
    tally: tallyOf(policy, acts),
    lastActs: acts
      .filter(({ decision }) => decision !== "planned")
      .slice(0, LAST_ACTS)
      .map(actOf),
  };
}

function tallyOf({ shadowSince }: Policy, acts: readonly StoredAct[]): Tally {
  const since = acts.filter(({ decidedAt }) => decidedAt >= shadowSince);
  const would = since.filter(({ decision }) => decision === "would_act");
  return {
    since: shadowSince,
    wouldAct: would.length,
    machines: new Set(would.flatMap(({ resourceId }) => resourceId ?? [])).size,
    savedMicros: sum(would.map(({ micros }) => micros ?? 0n)).toString(),
    resumed: would.filter(({ evidence }) => evidence.closedWhy === "works again").length,
    skipped: since.filter(({ decision }) => decision === "skipped").length,
  };
}

function actOf(act: StoredAct): ActRow {
  const { closedAt, closedWhy } = act.evidence;
  return {
    target: act.target,
    slot: act.slot,
    name: act.evidence.name,
    act: act.evidence.act,
    decision: act.decision,
    reason: act.reason,
    decidedAt: act.decidedAt,
    actAt: act.actAt,
    resourceId: act.resourceId,
    intentId: act.intentId,
    savedMicros: act.decision === "would_act" ? (act.micros ?? 0n).toString() : act.evidence.priceMicros,
    closed: closedAt === undefined ? null : { at: closedAt, why: closedWhy ?? "" },
  };
}

/** A policy as the form has it. */
function draftOf(policy: Policy): PolicyAnswer["draft"] {
  const { name, selector, zone, maxPerHour } = policy;
  const common = { name, selector, zone, maxPerHour, cooldownMinutes: Math.round(policy.cooldownMs / 60_000) };
  // Kind and params belong together, as they were stored.
  return { ...common, kind: policy.kind, params: policy.params } as PolicyAnswer["draft"];
}

function pastOf(row: Record<string, unknown>, policy: Policy): Policy | null {
  const params = PARAMS[policy.kind].safeParse(row.params);
  const selector = Machines.safeParse(row.selector);
  const mode = POLICY_MODES.find((one) => one === row.mode);
  if (!params.success || !selector.success || !mode) return null;
  const zone = typeof row.zone === "string" ? row.zone : policy.zone;
  const name = typeof row.name === "string" ? row.name : policy.name;
  // The kind of a policy never changes, and its params were read by its schema.
  return { ...policy, name, mode, zone, selector: selector.data, params: params.data } as Policy;
}
