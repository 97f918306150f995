// biome-ignore lint/style/noRestrictedImports: a test may look at everything
import { prisma } from "@/lib/db/client";
import { forgetOwners } from "@/lib/db/cost/observations";
import { setPrice } from "@/lib/db/cost/prices";
import { emptyDemo } from "@/lib/db/demo";
import { EVERY_REGION } from "@/lib/db/fleet/catalog";
import { type Connection, recordFailedPoll } from "@/lib/db/fleet/connection";
import { forgetSetting } from "@/lib/db/settings";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { AuditEvent, Filesystem, Instance, InstanceTypes, instanceTypeRows } from "@/lib/integrations/lambda/contract";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordEvents, recordFilesystems, recordListing, recordTypes } from "@/lib/services/fleet/poll";
import { meterCosts, STORAGE_SKU } from "./meter";

const REGION = { name: "us-east-3", description: "" };
export const TYPE = "gpu_1x_gh200";

export type Machine = {
  id: string;
  status: string;
  name?: string;
  typeName?: string;
  /** On its own row, as the provider says it; null: it does not. */
  cents?: number | null;
  tags?: Record<string, string>;
};

const ctxAt = (at: string): Ctx => systemCtx("test", new Date(at));

export async function setSetting(id: "accounting", value: Record<string, string | null>): Promise<void> {
  const updatedAt = new Date();
  await prisma.setting.upsert({ where: { id }, create: { id, value, updatedAt }, update: { value, updatedAt } });
  forgetSetting(id);
}

/** What the provider said, instant by instant, put in through the same door as its true answers. */
export class Story {
  private constructor(readonly connection: Connection) {}

  /** An empty database whose account is connected at an instant, accounting in a zone. */
  static async begin(at: string, zone = "UTC"): Promise<Story> {
    await emptyDemo();
    forgetOwners();
    await setSetting("accounting", { zone });
    return new Story(await lambdaConnection(new Date(at)));
  }

  async look(at: string, ...machines: Machine[]): Promise<void> {
    const listing = machines.map(({ id, status, name = id, typeName = TYPE, cents = null, tags = {} }) =>
      Instance.parse({
        id,
        status,
        name,
        region: REGION,
        instance_type: { name: typeName, price_cents_per_hour: cents },
        tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
      }),
    );
    await recordListing(ctxAt(at), this.connection, listing, 100);
  }

  /** Gone: absent for as long as an empty listing has to be believed. */
  async lookInVain(...at: string[]): Promise<void> {
    for (const instant of at) await this.look(instant);
  }

  async fail(at: string): Promise<void> {
    const { id: connectionId } = this.connection;
    await recordFailedPoll({ connectionId, at: new Date(at), outcome: "network", durationMs: 100, error: "away" });
  }

  async priceList(at: string, cents: Record<string, number>): Promise<void> {
    const item = (name: string, price: number) => ({
      instance_type: {
        name,
        gpu_description: "GH200 (96 GB)",
        price_cents_per_hour: price,
        specs: { vcpus: 64, memory_gib: 432, storage_gib: 4096, gpus: 1 },
      },
    });
    const answer = Object.fromEntries(Object.entries(cents).map(([name, price]) => [name, item(name, price)]));
    await recordTypes(ctxAt(at), this.connection, instanceTypeRows(InstanceTypes.parse(answer)));
  }

  async filesystem(at: string, ...sizes: { id: string; bytes: number | null }[]): Promise<void> {
    const listing = sizes.map(({ id, bytes }) =>
      Filesystem.parse({ id, name: id, is_in_use: true, bytes_used: bytes, region: REGION }),
    );
    await recordFilesystems(ctxAt(at), this.connection, listing);
  }

  /** The provider's own log, read later. */
  async logged(
    readAt: string,
    action: "launched" | "terminated",
    machineId: string,
    at: string,
    details: Record<string, string> = {},
  ): Promise<void> {
    const event = AuditEvent.parse({
      event_id: `${action} ${machineId}`,
      event_time: at,
      action,
      resource_lrns: [`lrn:cloud:instance:${machineId}`],
      additional_details: details,
    });
    await recordEvents(ctxAt(readAt), this.connection, [event]);
  }

  async storagePrice(at: string, microsPerGibMonth: bigint): Promise<void> {
    const { provider } = this.connection;
    const price = { provider, sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month" as const };
    await setPrice(prisma, { ...price, micros: microsPerGibMonth }, new Date(at));
  }

  /** From an instant on somebody else pays. */
  async relabel(machineId: string, at: string, team: string): Promise<void> {
    const { id: resourceId } = await prisma.resource.findFirstOrThrow({ where: { externalId: machineId } });
    await prisma.resourceLabel.updateMany({ where: { resourceId, validTo: null }, data: { validTo: new Date(at) } });
    await prisma.resourceLabel.create({ data: { resourceId, validFrom: new Date(at), team } });
  }

  async meter(at: string): Promise<void> {
    await meterCosts(ctxAt(at));
  }
}
