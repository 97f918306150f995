import type { z } from "zod";
import { setPrice } from "@/lib/db/cost/prices";
import {
  dateConnection,
  emptyDemo,
  insertPastIntent,
  insertPastPolls,
  insertQuietPoll,
  isSeeded,
  listPastMachines,
  markSeeded,
  nameTerminations,
} from "@/lib/db/demo";
import { EVERY_REGION } from "@/lib/db/fleet/catalog";
import { type Connection, markTypesRead } from "@/lib/db/fleet/connection";
import { mutate } from "@/lib/db/mutate";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { rollUpRange } from "@/lib/db/telemetry/rollup";
import { finishBulk } from "@/lib/db/telemetry/write";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { NewBudget } from "@/lib/domain/cost/budgets";
import { NewCharge } from "@/lib/domain/cost/price-input";
import { dayOf, dayStarts } from "@/lib/domain/cost/zone";
import { labelsFromTags } from "@/lib/domain/fleet/labels";
import { POLL_INSTANCES_MS, POLL_TYPES_MS } from "@/lib/domain/fleet/poll";
import { groupBy } from "@/lib/domain/group";
import {
  type AuditEvent,
  type Instance,
  type InstanceTypes,
  instanceTypeRows,
} from "@/lib/integrations/lambda/contract";
import { createBudget } from "@/lib/services/cost/budgets";
import { meterCosts, STORAGE_SKU } from "@/lib/services/cost/meter";
import { addCharge } from "@/lib/services/cost/price-verbs";
import { measureDay } from "@/lib/services/cost/usage";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordEvents, recordFilesystems, recordListing, recordTypes } from "@/lib/services/fleet/poll";
import { prepareHouse } from "@/lib/services/house";
import { seal } from "@/lib/services/telemetry/roll-up";
import { setAllocation } from "./allocation";
import { declareFleet } from "./declaration";
import { markDeploys } from "./deploys";
import { setEnding } from "./ending";
import { loadEvents } from "./events";
import { type HistoryLine, readCloudState, readListings } from "./history";
import { enterInvoices } from "./invoices";
import { setLaunching } from "./launching";
import { setPager } from "./pager";
import { makePlans } from "./plan";
import { setPolicies } from "./policies";
import { letProgramsIn } from "./programs";
import { replayAlerts } from "./replay-alerts";
import { loadSamples, meetGuests, startAgents } from "./samples";
import { leaveUnanswered } from "./unanswered";
import { loadWork } from "./work";

const DAY_MS = 24 * 3_600_000;
const FINE_MS = 48 * 3_600_000;
/** An absence counts from the second listing 30 s later. */
const ABSENCE_POLLS = 3;

/** Between two looks of the past, as far as they are kept. */
const PAST_POLLS_MS = 300_000;
/** When nobody looked, after so long: once the worker stood still for a night's update, once the network was away. */
const AWAY: readonly (readonly [number, number])[] = [
  [11.6 * DAY_MS, 11.6 * DAY_MS + 80 * 60_000],
  [30.2 * DAY_MS, 30.2 * DAY_MS + 25 * 60_000],
];

/**
 * Writes the demo's past: what the cloud's API would have said is replayed through the product's own functions, samples go in
 * by the store's bulk path, and cost and alerts follow from both. Done once; a part of an earlier attempt is thrown away.
 */
export async function seedDemo(
  ctx: Ctx,
  adminUrl: string,
  days: number,
): Promise<{ isNew: boolean; samples: number; machines: number }> {
  if (await isSeeded()) return { isNew: false, samples: 0, machines: 0 };
  await emptyDemo();
  const state = await readCloudState(adminUrl);
  const to = state.startedAt;
  const from = to - days * DAY_MS;
  await ensurePartitions(new Date(from - DAY_MS), new Date(to + 10 * DAY_MS));
  await prepareHouse(systemCtx("demo", new Date(from)));
  const connection = await lambdaConnection(new Date(from));
  await dateConnection(connection.id, new Date(from));

  await replayCloud(connection, adminUrl, from, to);
  const guests = await meetGuests(state, to);
  const samples =
    (await loadSamples(guests, adminUrl, from, to - FINE_MS, 60_000)) +
    (await loadSamples(guests, adminUrl, to - FINE_MS, to, 10_000));
  await finishBulk(new Date(to));
  await loadEvents(guests, adminUrl, from, to);
  await loadWork(guests, adminUrl, from, to - FINE_MS, to);
  await rollUpRange(new Date(from), new Date(to));
  await seal(systemCtx("demo", new Date(to)));

  const now = systemCtx("demo", new Date(to));
  await setHouse(now);
  await setLaunching(now);
  await setAllocation(now, from);
  await declareFleet(now);
  await giveCredit(now);
  await meterCosts(now);
  await enterInvoices(now, from);
  for (const at of [from, ...dayStarts(from, to, "UTC")]) await measureDay(dayOf(at, "UTC"), "UTC", to);
  await makePlans(now);
  await setPolicies(now, from);
  await replayAlerts(from, to);
  await setEnding(now);
  await letProgramsIn(now);
  await markDeploys(now);
  await setPager(now);
  await leaveUnanswered(now);
  await startAgents(guests, state, adminUrl);
  await markSeeded(ctx.now);
  return { isNew: true, samples, machines: state.machines.length };
}

/** Replays what the API would have said, at the instants at which the worker would have looked. */
async function replayCloud(connection: Connection, adminUrl: string, from: number, to: number): Promise<void> {
  const lines: HistoryLine[] = [];
  for await (const line of readListings(adminUrl, from, to)) lines.push(line);
  await writeLaunches(connection, lines);

  const types: z.output<typeof InstanceTypes> = {};
  const polls = new PollReplay(connection);
  for (const line of lines) {
    const ctx = systemCtx("demo", new Date(line.at));
    if (line.kind === "instance-types") {
      const before = pricesOf(types);
      Object.assign(types, line.data);
      // Capacity flickers every few minutes: nobody looks at that further back than a day.
      if (pricesOf(types) === before && line.at < to - DAY_MS) continue;
      // The list was read a minute before, and said the same as when it was last written down.
      if (before !== "[]") await markTypesRead(connection.id, new Date(line.at - POLL_TYPES_MS));
      await recordTypes(ctx, connection, instanceTypeRows(types));
    } else if (line.kind === "file-systems") {
      await recordFilesystems(ctx, connection, line.data);
    } else if (line.kind === "instances") {
      await polls.runTo(line.at);
      polls.show(line.at, line.data);
    }
  }
  await polls.runTo(to);
  const away = AWAY.map(([start, end]) => ({ from: new Date(from + start), to: new Date(from + end) }));
  await insertPastPolls(connection.id, new Date(from), new Date(to), PAST_POLLS_MS, away);
  const events = lines.filter((line) => line.kind === "audit-event");
  for (const [day, own] of groupBy(events, (event) => Math.floor(event.at / DAY_MS))) {
    const ctx = systemCtx("demo", new Date(Math.min(to, (day + 1) * DAY_MS)));
    await recordEvents(
      ctx,
      connection,
      own.map((event) => event.data),
    );
  }
  await writeTerminations(
    connection,
    events.map((event) => event.data),
  );
}

function pricesOf(types: z.output<typeof InstanceTypes>): string {
  return JSON.stringify(
    Object.entries(types).map(([name, { instance_type }]) => [name, instance_type.price_cents_per_hour]),
  );
}

/** Polls every 15 s, written down where they prove something: a change, an absence, and the last look before the next change. */
class PollReplay {
  #listing: Instance[] = [];
  #shownAt = 0;
  #polledAt = 0;
  /** Looks that still have to be written. */
  #owed = 0;

  constructor(readonly connection: Connection) {}

  show(at: number, listing: Instance[]): void {
    const listed = new Set(listing.map((machine) => machine.id));
    const hasLost = this.#listing.some((machine) => !listed.has(machine.id));
    this.#owed = Math.max(1, hasLost ? ABSENCE_POLLS : this.#owed);
    this.#listing = listing;
    this.#shownAt = at;
  }

  async runTo(until: number): Promise<void> {
    const first = Math.max(
      this.#polledAt + POLL_INSTANCES_MS,
      Math.ceil(this.#shownAt / POLL_INSTANCES_MS) * POLL_INSTANCES_MS,
    );
    for (let at = first; this.#owed > 0 && at < until; at += POLL_INSTANCES_MS) {
      await recordListing(systemCtx("demo", new Date(at)), this.connection, this.#listing, 180);
      this.#polledAt = at;
      this.#owed--;
    }
    const before = Math.ceil(until / POLL_INSTANCES_MS - 1) * POLL_INSTANCES_MS;
    if (before <= this.#polledAt || this.#shownAt === 0) return;
    await insertQuietPoll(this.connection.id, new Date(before));
    this.#polledAt = before;
  }
}

/** What machines of each workload were launched for. */
const PURPOSES: Readonly<Record<string, string>> = {
  training: "pretraining",
  batch: "evaluation",
  inference: "serving",
  dev: "notebooks",
};

/** Launches that came through an API key were asked for here; those from the provider's console were not. */
async function writeLaunches(connection: Connection, lines: HistoryLine[]): Promise<void> {
  const machines = new Map(
    lines.flatMap((line) =>
      line.kind === "instances" ? line.data.map((machine) => [machine.id, machine] as const) : [],
    ),
  );
  for (const line of lines) {
    if (line.kind !== "audit-event" || line.data.apiKey === null || line.data.action !== "launched") continue;
    const machine = machines.get(line.data.instanceIds[0] ?? "");
    if (!machine) continue;
    const { id: externalId, name, region, typeName, tags, sshKeyNames } = machine;
    const labels = labelsFromTags(tags);
    const request = {
      name: name ?? externalId,
      typeName,
      region,
      imageFamily: null,
      sshKeyName: sshKeyNames[0] ?? "",
      fileSystemName: null,
      labels,
      purpose: PURPOSES[labels.workload] ?? "",
    };
    await insertPastIntent({
      kind: "launch",
      connectionId: connection.id,
      externalId,
      targetId: null,
      request,
      by: tags.owner ?? "demo",
      at: new Date(line.data.at),
    });
  }
}

async function writeTerminations(connection: Connection, events: AuditEvent[]): Promise<void> {
  const machines = new Map((await listPastMachines()).map((machine) => [machine.externalId, machine]));
  for (const event of events) {
    const machine = machines.get(event.instanceIds[0] ?? "");
    if (!machine || event.apiKey === null || event.action !== "terminated") continue;
    const { externalId, name, id: targetId, owner } = machine;
    await insertPastIntent({
      kind: "terminate",
      connectionId: connection.id,
      externalId,
      targetId,
      request: { externalId, name },
      by: owner || "demo",
      at: new Date(event.at),
    });
  }
  await nameTerminations();
}

/** The fleet's month is tight, so that the forecast has something to say about it. */
const BUDGETS: readonly z.input<typeof NewBudget>[] = [
  { name: "", selector: {}, every: "month", usd: "12000" },
  { name: "", selector: { team: "research" }, every: "month", usd: "7500" },
  {
    name: "",
    selector: { team: "serving" },
    every: "quarter",
    usd: "9000",
    thresholds: [
      { on: "actual", pct: 90 },
      { on: "burn", pct: 110 },
    ],
  },
  { name: "", selector: { environment: "development" }, every: "week", usd: "400" },
];

/** A credit as accounts get one: it lowers the month's bill. */
async function giveCredit(ctx: Ctx): Promise<void> {
  const first = `${dayOf(ctx.now.getTime(), "UTC").slice(0, 7)}-01`;
  const credit = { kind: "credit", amount: "150", fromDay: first, toDay: first, description: "Welcome credit" };
  await addCharge(ctx, NewCharge.parse(credit));
}

/** What a team would have set by hand: the price of storage, and a budget. */
async function setHouse(ctx: Ctx): Promise<void> {
  await mutate(ctx, "setting:write", async (tx) => {
    await setPrice(
      tx,
      { provider: "lambda", sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month", micros: 200_000n },
      ctx.now,
    );
    return {
      action: "price.set",
      subjectKind: "price",
      subjectId: STORAGE_SKU,
      subject: "Storage",
      after: { microsPerGibMonth: 200_000n },
      result: null,
    };
  });
  for (const budget of BUDGETS) await createBudget(ctx, NewBudget.parse(budget));
}
