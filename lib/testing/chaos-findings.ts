import { statusAt } from "@/lib/simulator/lifecycle";
import { LAUNCH, TERMINATE } from "./intents";
import { rows, type World } from "./world";

type Known = {
  id: string;
  kind: "launch" | "terminate" | "restart";
  state: string;
  sends: number;
  createdAt: Date;
  settledAt: Date | null;
  externalId: string | null;
  target: string | null;
  linked: string | null;
  askedBy: string | null;
  approver: string | null;
  role: string | null;
  waited: boolean;
  wanted: string | null;
  approvedAt: Date | null;
  expiresAt: Date | null;
  isGlassBroken: boolean;
};

/** Everything that must never be, found in the simulator's truth and in our records; empty: all is well. */
export async function findings(world: World): Promise<string[]> {
  const intents = await rows<Known>(
    `select i.id, i.kind, i.state, i.sends, i.created_at as "createdAt", i.settled_at as "settledAt", i.external_id as "externalId",
            t.external_id as target, l.external_id as linked, i.requested_by_id as "askedBy", i.approved_by_id as approver,
            u.role::text as role, i.approval_expires_at is not null as waited,
            coalesce(i.plan ->> 'approval', i.plan -> 'evidence' ->> 'approval') as wanted,
            i.approved_at as "approvedAt", i.approval_expires_at as "expiresAt", i.break_glass_reason is not null as "isGlassBroken"
     from intent i left join resource t on t.id = i.target_id left join resource l on l.launch_intent_id = i.id
     left join app_user u on u.id = i.approved_by_id`,
  );
  return [...(await ofMachines(world, intents)), ...ofApprovals(world, intents)];
}

async function ofMachines(world: World, intents: readonly Known[]): Promise<string[]> {
  const found: string[] = [];
  const { state } = world.cloud.cloud;
  const now = world.now();
  const resources = await rows<{ externalId: string; isGone: boolean; reason: string | null; wasListed: boolean }>(
    `select external_id as "externalId", gone_at is not null as "isGone", gone_reason::text as reason,
            exists (select 1 from resource_span s where s.resource_id = r.id and s.status <> 'terminated') as "wasListed"
     from resource r where kind = 'instance'`,
  );
  const markOf = (tags: { key: string; value: string }[]) => tags.find(({ key }) => key === "hopperdeck-intent")?.value;
  const isThere = (machine: (typeof state.machines)[number]) => statusAt(machine, now) !== "terminated";

  for (const intent of intents) {
    const say = (words: string) => found.push(`${intent.kind} ${intent.id} (${intent.state}): ${words}`);
    if (intent.settledAt === null) say("is not settled");
    if (intent.kind !== "launch") continue;
    const made = state.machines.filter(({ tags }) => markOf(tags) === intent.id);
    const asked = launchesOf(world, intent.id);
    if (made.length > 1) say(`launched ${made.length} machines`);
    if (asked.length > 1) say(`was sent ${asked.length} times`);
    const hasOne = intent.state === "confirmed" || intent.state === "adopted";
    // One that ended from outside before it was ever listed is known by Lambda's log alone, which does not say whose launch it was.
    const [machine] = made;
    const wasSeen = machine && resources.some(({ externalId, wasListed }) => externalId === machine.id && wasListed);
    if (machine && isThere(machine) && !hasOne) say("has a machine that it does not know");
    if (machine && wasSeen && !hasOne) say("has a machine that was listed, and does not say so");
    if (!machine && hasOne) say("says that it has a machine");
    if (hasOne && machine && intent.externalId !== machine.id) say(`names ${intent.externalId}, not ${machine.id}`);
    if (wasSeen && intent.linked !== machine.id) say("is not tied to its machine");
  }

  const mutate = state.audit.filter(({ actor }) => actor.apiKeyLrn !== null);
  for (const { resourceIds } of mutate.filter(({ action }) => action === "terminated"))
    for (const id of resourceIds)
      if (!intents.some(({ kind, target, state: now }) => kind === "terminate" && target === id && now === "confirmed"))
        found.push(`machine ${id}: was terminated, and nobody who asked for it knows`);
  for (const one of state.machines) {
    const ends = intents.filter(({ kind, target }) => kind === "terminate" && target === one.id);
    const record = resources.find(({ externalId }) => externalId === one.id);
    if (ends.some(({ state: now }) => now === "confirmed") && isThere(one))
      found.push(`machine ${one.id}: was said to be terminated and runs`);
    if (isThere(one) && !record) found.push(`machine ${one.id}: runs and is forgotten`);
    if (isThere(one) && record?.isGone) found.push(`machine ${one.id}: runs and is called gone (${record.reason})`);
    if (!isThere(one) && record && !record.isGone) found.push(`machine ${one.id}: is gone and is said to run`);
    const restarts = intents.filter(({ kind, target, sends }) => kind === "restart" && target === one.id && sends > 0);
    if (one.restarts.length > restarts.length)
      found.push(`machine ${one.id}: restarted ${one.restarts.length} times for ${restarts.length} requests`);
  }
  for (const { externalId } of resources)
    if (!state.machines.some(({ id }) => id === externalId))
      found.push(`record ${externalId}: there is no such machine`);
  return found;
}

/** Nothing was sent that nobody had asked for, or that a second person had still to agree to. */
function ofApprovals(world: World, intents: readonly Known[]): string[] {
  const found: string[] = [];
  const isAllowed = (one: Known, at: number) =>
    one.createdAt.getTime() <= at && (!one.waited || (one.approvedAt !== null && one.approvedAt.getTime() <= at));
  for (const one of intents) {
    const say = (words: string) => found.push(`${one.kind} ${one.id} (${one.state}): ${words}`);
    if (one.wanted !== null && !one.waited) say("needed a second person and did not wait for one");
    if (one.waited && one.approvedAt === null && one.sends > 0) say("was sent, and nobody agreed");
    if (one.kind === "launch" && launchesOf(world, one.id).some(({ at }) => !isAllowed(one, at)))
      say("was sent before somebody agreed");
    if (one.approvedAt === null) continue;
    if (one.approver === null && !one.isGlassBroken) say("was released by nobody");
    if (one.approver !== null && one.approver === one.askedBy) say("was agreed to by the one who asked");
    if (one.role === "viewer" || (one.role === "finance" && one.kind !== "launch")) say(`was agreed to by ${one.role}`);
    if (one.expiresAt !== null && one.approvedAt >= one.expiresAt) say("was agreed to when its time was up");
  }
  for (const { at, body } of posts(world, TERMINATE))
    for (const id of (JSON.parse(body) as { instance_ids: string[] }).instance_ids) {
      const asked = intents.some(
        (one) =>
          one.kind === "terminate" &&
          one.target === id &&
          isAllowed(one, at) &&
          (one.settledAt === null || one.settledAt.getTime() >= at),
      );
      if (!asked) found.push(`machine ${id}: its end was sent at ${new Date(at).toISOString()}, unasked`);
    }
  return found;
}

const posts = (world: World, path: string) =>
  world.requests.filter((one) => one.method === "POST" && one.path === path);
const launchesOf = (world: World, intentId: string) =>
  posts(world, LAUNCH).filter(({ body }) => body.includes(intentId));
