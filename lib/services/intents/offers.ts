import { listCatalog, listOffers } from "@/lib/db/fleet/catalog";
import { findConnection } from "@/lib/db/fleet/connection";
import { type InstanceFacts, listFilesystems, listInstances } from "@/lib/db/fleet/read";
import {
  type AnsweredLaunch,
  answeredLaunches,
  lastCapacity,
  launchesOf,
  listedPrices,
  type OpenLaunch,
  openLaunches,
} from "@/lib/db/launches";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { sum } from "@/lib/domain/cost/money";
import { dayOf } from "@/lib/domain/cost/zone";
import { groupBy } from "@/lib/domain/group";
import { mark } from "@/lib/domain/intents/intent";
import type { LaunchOffers, Offer } from "@/lib/domain/intents/offers";
import { type Env, env, isLoopback } from "@/lib/env";
import { budgetStates } from "@/lib/services/cost/budgets";
import { readFreshness } from "@/lib/services/fleet/freshness";
import { isBilled } from "@/lib/services/fleet/instances";
import { launchesStoppedBy } from "@/lib/services/policies/launch-stop";
import { personBehind } from "./person";

const DAY_MS = 24 * 3_600_000;
const RECORD_DAYS = 7;
const PRICES_SHOWN = 6;
const PROVIDER = "lambda";
const INSUFFICIENT = "insufficient-capacity";
const QUOTA = "quota";

/** What can be launched now, at which price, where, what it would do to budgets, and what the house allows. */
export async function readLaunchOffers(ctx: Ctx): Promise<LaunchOffers> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const since = new Date(now - DAY_MS);
  const [freshness, connection, offered, seen, past, catalog, filesystems, fleet, budgets, answered, guardrails, stop] =
    await Promise.all([
      readFreshness(ctx.now),
      findConnection(),
      listOffers(PROVIDER, since),
      lastCapacity(PROVIDER, ctx.now),
      listedPrices(PROVIDER),
      listCatalog(["region", "image", "ssh_key"]),
      listFilesystems(),
      listInstances(dayOf(now, zone), { goneSince: new Date(now - 30 * DAY_MS) }),
      budgetStates(ctx.now),
      answeredLaunches(new Date(now - RECORD_DAYS * DAY_MS)),
      readSetting("guardrails"),
      launchesStoppedBy(ctx.now),
    ]);
  const [open, person] = await Promise.all([openLaunches(ctx.now), personBehind(ctx)]);
  const running = fleet.filter((one) => one.goneAt === null);
  const words = (read: (one: (typeof fleet)[number]) => string) =>
    [...new Set(fleet.map(read).filter((word) => word !== ""))].sort((a, b) => a.localeCompare(b));
  const offers = offersOf({ ...offered, seen, past }, now, since.getTime());
  return {
    now,
    freshness,
    readAt: connection?.typesReadAt?.getTime() ?? null,
    offers,
    images: catalog
      .filter((item) => item.kind === "image")
      .map((item) => {
        const { family, architecture } = item.attrs as { family?: string; architecture?: string };
        return {
          family: family ?? item.name,
          name: item.name,
          region: item.region ?? "",
          architecture: architecture ?? "",
        };
      }),
    sshKeys: catalog.filter((item) => item.kind === "ssh_key").map((item) => item.name),
    filesystems: filesystems.map(({ name, externalId, region, bytesUsed }) => ({
      name: name ?? externalId,
      region,
      bytesUsed: bytesUsed === null ? null : Number(bytesUsed),
    })),
    regions: catalog
      .filter((item) => item.kind === "region")
      .map((item) => ({
        name: item.name,
        description: (item.attrs as { description?: string }).description ?? "",
      })),
    names: [
      ...running.flatMap(({ name, launchIntentId }) => (name === null ? [] : [ownName(name, launchIntentId)])),
      ...open.map(({ id, name }) => ownName(name, id)),
    ],
    words: {
      owners: words((one) => one.owner),
      teams: words((one) => one.team),
      projects: words((one) => one.project),
      environments: words((one) => one.environment),
      costCenters: words((one) => one.costCenter),
      purposes: words((one) => one.purpose),
    },
    ...(await ratesOf(running, open, offers, person)),
    budgets: budgets.map(({ name, selector, limitMicros, spentMicros, microsPerHour, to }) => ({
      name,
      selector,
      micros: limitMicros.toString(),
      spentMicros: spentMicros.toString(),
      microsPerHour: microsPerHour.toString(),
      to,
    })),
    idle: running.flatMap((one) =>
      one.idleSince && isBilled(one)
        ? [
            {
              id: one.id,
              name: one.name ?? one.externalId,
              typeName: one.typeName,
              gpuModel: one.gpuModel,
              team: one.team,
              project: one.project,
              purpose: one.purpose,
              owner: one.owner,
              since: one.idleSince.getTime(),
            },
          ]
        : [],
    ),
    quotaRefusal: quotaRefusalOf(answered, since),
    record: recordOf(answered),
    guardrails,
    stop: stop && { act: stop.act, words: stop.words },
    unreachable: whyUnreachable(),
    zone,
  };
}

/** A machine's name without the mark of its launch. */
export function ownName(name: string, intentId: string | null): string {
  const tail = intentId === null ? "" : `-${mark(intentId)}`;
  return tail && name.endsWith(tail) ? name.slice(0, -tail.length) : name;
}

async function ratesOf(running: InstanceFacts[], open: OpenLaunch[], offers: Offer[], person: string | null) {
  const priceOf = (typeName: string | null) =>
    BigInt(offers.find((offer) => offer.typeName === typeName)?.priceMicros ?? "0");
  const rateOf = (machines: InstanceFacts[]) => sum(machines.map((one) => one.priceMicros ?? priceOf(one.typeName)));
  const kept = running.filter((one) => isBilled(one) || one.status === "booting");
  const mine =
    person === null
      ? new Set<string>()
      : await launchesOf(
          person,
          kept.flatMap((one) => one.launchIntentId ?? []),
        );
  const asked = (launches: OpenLaunch[]) => sum(launches.map(({ typeName }) => priceOf(typeName)));
  return {
    fleetMicrosPerHour: rateOf(running.filter(isBilled)).toString(),
    committedMicrosPerHour: (rateOf(kept) + asked(open)).toString(),
    personMicrosPerHour: (
      rateOf(kept.filter((one) => one.launchIntentId !== null && mine.has(one.launchIntentId))) +
      asked(open.filter((one) => person !== null && one.requestedById === person))
    ).toString(),
  };
}

function quotaRefusalOf(answered: AnsweredLaunch[], since: Date): LaunchOffers["quotaRefusal"] {
  // The newest answer that says anything of the quota: one that was accepted says that there is some.
  const last = answered.find((one) => one.isAccepted || one.errorCode?.includes(QUOTA));
  if (!last || last.isAccepted || last.at < since) return null;
  return { at: last.at.getTime(), message: last.error ?? "Quota exceeded" };
}

function recordOf(answered: AnsweredLaunch[]): LaunchOffers["record"] {
  return [...groupBy(answered, (one) => `${one.typeName} ${one.region}`).values()].flatMap((launches) => {
    const [first] = launches;
    if (!first) return [];
    const refused = launches.filter((one) => one.errorCode?.includes(INSUFFICIENT)).length;
    return [{ typeName: first.typeName, region: first.region, asked: launches.length, refused }];
  });
}

type Addresses = Pick<Env, "mode" | "lambdaApiUrl" | "publicUrl">;

/** A real machine cannot call a loopback address, and must not send its token in the clear. */
export function whyUnreachable({ mode, lambdaApiUrl, publicUrl }: Addresses = env): string | null {
  if (mode === "demo" || isLoopback(lambdaApiUrl)) return null;
  if (isLoopback(publicUrl))
    return `PUBLIC_URL is ${publicUrl}, which only this machine can reach. Set it to the address of the dashboard.`;
  if (publicUrl.startsWith("http:"))
    return `PUBLIC_URL is ${publicUrl}: over plain http, the agent's token could be read on its way. Use https.`;
  return null;
}

type Offered = Awaited<ReturnType<typeof listOffers>> & {
  seen: Awaited<ReturnType<typeof lastCapacity>>;
  past: Awaited<ReturnType<typeof listedPrices>>;
};

function offersOf({ types, prices, capacity, seen, past }: Offered, now: number, since: number): Offer[] {
  return types.map((type) => {
    const price = prices.find((one) => one.sku === type.name);
    const own = past.filter((one) => one.sku === type.name);
    const spans = capacity.filter((span) => span.typeName === type.name);
    const regions = seen
      .filter(({ typeName }) => typeName === type.name)
      .map(({ region, at }) => {
        const here = spans.filter((span) => span.region === region);
        const listedMs = here.reduce(
          (total, span) => total + (span.to?.getTime() ?? now) - Math.max(since, span.from.getTime()),
          0,
        );
        const isListed = here.some((span) => span.to === null);
        return {
          name: region,
          isListed,
          share: Math.min(1, listedMs / (now - since)),
          seenAt: isListed ? now : at.getTime(),
        };
      });
    return {
      typeName: type.name,
      description: type.description,
      gpuModel: type.gpuModel,
      gpus: type.gpus,
      gpuMemoryGb: type.gpuMemoryGb,
      architecture: type.architecture,
      vcpus: type.vcpus,
      memoryGib: type.memoryGib,
      storageGib: type.storageGib,
      priceMicros: price?.micros.toString() ?? null,
      priceSince: price?.validFrom.getTime() ?? null,
      prices: own.slice(-PRICES_SHOWN).map(({ micros, validFrom }) => ({
        micros: micros.toString(),
        from: validFrom.getTime(),
      })),
      regions: regions.sort(
        (a, b) => Number(b.isListed) - Number(a.isListed) || b.seenAt - a.seenAt || a.name.localeCompare(b.name),
      ),
    };
  });
}
