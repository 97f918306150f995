import { listCatalog, listOffers } from "@/lib/db/fleet/catalog";
import { findConnection } from "@/lib/db/fleet/connection";
import { listFilesystems, listInstances } from "@/lib/db/fleet/read";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { dayOf, monthRange } from "@/lib/domain/cost/zone";
import { mark } from "@/lib/domain/intents/intent";
import type { LaunchOffers, Offer } from "@/lib/domain/intents/preflight";
import { type Env, env, isLoopback } from "@/lib/env";
import { readOutlook } from "@/lib/services/cost/read";
import { readFreshness } from "@/lib/services/fleet/freshness";

const DAY_MS = 24 * 3_600_000;
const PROVIDER = "lambda";

/** What can be launched now, at which price, where, and what it would do to the month. */
export async function readLaunchOffers(ctx: Ctx): Promise<LaunchOffers> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const since = new Date(now - DAY_MS);
  const [freshness, connection, offered, catalog, filesystems, fleet, outlook] = await Promise.all([
    readFreshness(ctx.now),
    findConnection(),
    listOffers(PROVIDER, since),
    listCatalog(["region", "image", "ssh_key"]),
    listFilesystems(),
    listInstances(dayOf(now, zone), { goneSince: new Date(now - 30 * DAY_MS) }),
    readOutlook(ctx, zone),
  ]);
  const running = fleet.filter((one) => one.goneAt === null);
  const words = (read: (one: (typeof fleet)[number]) => string) =>
    [...new Set(fleet.map(read).filter((word) => word !== ""))].sort((a, b) => a.localeCompare(b));
  const { budget } = outlook;
  return {
    now,
    freshness,
    readAt: connection?.typesReadAt?.getTime() ?? null,
    offers: offersOf(offered, now, since.getTime()),
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
    names: running.flatMap(({ name, launchIntentId }) => {
      if (name === null) return [];
      const tail = launchIntentId === null ? "" : `-${mark(launchIntentId)}`;
      return [tail && name.endsWith(tail) ? name.slice(0, -tail.length) : name];
    }),
    words: {
      owners: words((one) => one.owner),
      teams: words((one) => one.team),
      projects: words((one) => one.project),
      environments: words((one) => one.environment),
      costCenters: words((one) => one.costCenter),
    },
    fleetMicrosPerHour: outlook.rateMicrosPerHour,
    budget: budget && {
      micros: budget.micros,
      spentMicros: outlook.monthToDateMicros,
      microsPerHour: (BigInt(outlook.rateMicrosPerHour) + BigInt(outlook.storageMicrosPerHour ?? "0")).toString(),
      monthEnd: monthRange(outlook.month, zone).to,
    },
    unreachable: whyUnreachable(),
    zone,
  };
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

type Offered = Awaited<ReturnType<typeof listOffers>>;

function offersOf({ types, prices, capacity }: Offered, now: number, since: number): Offer[] {
  return types.map((type) => {
    const price = prices.find((one) => one.sku === type.name);
    const spans = capacity.filter((span) => span.typeName === type.name);
    const regions = [...new Set(spans.map((span) => span.region))].map((name) => {
      const own = spans.filter((span) => span.region === name);
      const listedMs = own.reduce(
        (sum, span) => sum + (span.to?.getTime() ?? now) - Math.max(since, span.from.getTime()),
        0,
      );
      return { name, isListed: own.some((span) => span.to === null), share: Math.min(1, listedMs / (now - since)) };
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
      regions: regions.sort((a, b) => Number(b.isListed) - Number(a.isListed) || a.name.localeCompare(b.name)),
    };
  });
}
