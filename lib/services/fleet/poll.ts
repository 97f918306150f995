import { applyCatalog, applyTypes, type CatalogRow } from "@/lib/db/fleet/catalog";
import type { Connection } from "@/lib/db/fleet/connection";
import { markEventsRead, recordFailedPoll } from "@/lib/db/fleet/connection";
import { insertProviderEvents, linkProviderEvents, type ProviderEventRow, rememberUnseen } from "@/lib/db/fleet/events";
import { type Applied, applyListing } from "@/lib/db/fleet/inventory";
import { recordAudit } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import { labelsFromTags } from "@/lib/domain/fleet/labels";
import { observe } from "@/lib/domain/fleet/observe";
import type { PollOutcome } from "@/lib/domain/fleet/poll";
import type { AuditEvent, Filesystem, Instance, InstanceType } from "@/lib/integrations/lambda/contract";
import { LambdaError } from "@/lib/integrations/lambda/errors";
import { adoptLaunched } from "@/lib/services/intents/adopt";
import { allIsWell, lambdaConnection, lambdaOf, slowDown } from "./lambda";
import { seenFilesystem, seenInstance, typeRow } from "./translate";

/** Looks at the fleet once. A failed look makes it stale and changes nothing else. */
export async function pollInstances(ctx: Ctx): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  const began = performance.now();
  let listing: Instance[];
  try {
    listing = await lambdaOf(connection, "look").listInstances();
  } catch (error) {
    await fail(ctx, connection, error, performance.now() - began);
    return;
  }
  await allIsWell(connection.id);
  await recordListing(ctx, connection, listing, performance.now() - began);
}

/** Writes a good listing down; also the way in for a history that is replayed. */
export async function recordListing(
  ctx: Ctx,
  connection: Pick<Connection, "id" | "provider">,
  listing: Instance[],
  durationMs: number,
): Promise<Applied | null> {
  const { id: connectionId, provider } = connection;
  const applied = await applyListing(
    {
      connectionId,
      provider,
      kind: "instance",
      at: ctx.now,
      durationMs: Math.round(durationMs),
      listing: listing.map(seenInstance),
    },
    observe,
    labelsFromTags,
  );
  if (!applied) return null;
  await adoptLaunched(ctx, listing, applied.ids);
  if (applied.appeared.length > 0) await linkProviderEvents(connectionId);
  return applied;
}

async function fail(ctx: Ctx, connection: Connection, error: unknown, durationMs: number): Promise<void> {
  if (!(error instanceof LambdaError)) throw error;
  await slowDown(connection.id, error);
  const { isFirst } = await recordFailedPoll({
    connectionId: connection.id,
    at: ctx.now,
    outcome: outcomeOf(error),
    durationMs: Math.round(durationMs),
    error: error.message,
  });
  if (isFirst) {
    await recordAudit(ctx, {
      action: "connection.lost",
      subjectKind: "connection",
      subjectId: connection.id,
      subject: connection.name,
      reason: `${error.message}. The fleet is shown as last seen; nothing is concluded from this.`,
    });
  }
}

function outcomeOf({ kind }: LambdaError): Exclude<PollOutcome, "ok" | "suspect"> {
  if (kind === "unauthorised" || kind === "throttled" || kind === "edge_page") return kind;
  return kind === "server_error" || kind === "malformed" || kind === "refused" ? "server_error" : "network";
}

/** Types, their prices, and where they can be had. */
export async function pollTypes(ctx: Ctx): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  await looking(connection, async (lambda) => recordTypes(ctx, connection, await lambda.listInstanceTypes()));
}

export async function recordTypes(
  ctx: Ctx,
  connection: Pick<Connection, "id" | "provider" | "name">,
  types: InstanceType[],
): Promise<void> {
  const changes = await applyTypes(connection.id, connection.provider, types.map(typeRow), ctx.now);
  for (const { sku, from, to } of changes) {
    await recordAudit(ctx, {
      action: "price.changed",
      subjectKind: "instance-type",
      subjectId: sku,
      subject: sku,
      before: { microsPerHour: from },
      after: { microsPerHour: to },
    });
  }
}

export async function pollFilesystems(ctx: Ctx): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  await looking(connection, async (lambda) => recordFilesystems(ctx, connection, await lambda.listFilesystems()));
}

export async function recordFilesystems(
  ctx: Ctx,
  { id: connectionId, provider }: Pick<Connection, "id" | "provider">,
  filesystems: Filesystem[],
): Promise<void> {
  const listing = filesystems.map(seenFilesystem);
  await applyListing(
    { connectionId, provider, kind: "filesystem", at: ctx.now, durationMs: 0, listing },
    observe,
    labelsFromTags,
  );
}

/** Regions, images and SSH keys: what the launch form offers. */
export async function pollCatalog(ctx: Ctx): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  await looking(connection, async (lambda) => {
    const regions = await lambda.listRegions();
    const images = await lambda.listImages();
    const keys = await lambda.listSshKeys();
    const rows: CatalogRow[] = [
      ...regions.map((r) => ({
        kind: "region" as const,
        externalId: r.name,
        name: r.name,
        region: r.name,
        attrs: { description: r.description },
      })),
      ...images.map(({ id, name, region, ...attrs }) => ({
        kind: "image" as const,
        externalId: id,
        name,
        region,
        attrs,
      })),
      ...keys.map((key) => ({ kind: "ssh_key" as const, externalId: key.id, name: key.name, region: null, attrs: {} })),
    ];
    await applyCatalog(connection.id, rows, ["region", "image", "ssh_key"], ctx.now);
  });
}

const EVENTS_BACK_MS = 7 * 24 * 3_600_000;
/** Events may be written down late; each read looks back a little over the last one. */
const EVENTS_OVERLAP_MS = 15 * 60_000;
/** Read at once: a day stays within the pages that one read may take; a longer past follows in the next reads. */
const EVENTS_WINDOW_MS = 24 * 3_600_000;

/** The provider's own log: the only source of launch and terminate times, and of who did it. */
export async function pollEvents(ctx: Ctx): Promise<void> {
  const connection = await lambdaConnection(ctx.now);
  const from = new Date((connection.eventsReadTo?.getTime() ?? ctx.now.getTime() - EVENTS_BACK_MS) - EVENTS_OVERLAP_MS);
  const to = new Date(Math.min(ctx.now.getTime(), from.getTime() + EVENTS_WINDOW_MS));
  try {
    const events = await lambdaOf(connection, "look").listAuditEvents(from, to);
    await recordEvents(ctx, connection, events, to);
  } catch (error) {
    if (!(error instanceof LambdaError)) throw error;
    await slowDown(connection.id, error);
    await markEventsRead(connection.id, ctx.now, null, error.message);
  }
}

export async function recordEvents(
  ctx: Ctx,
  connection: Pick<Connection, "id" | "provider">,
  events: AuditEvent[],
  readTo: Date = ctx.now,
): Promise<void> {
  const rows = events.flatMap((event): ProviderEventRow[] => {
    const { id, at, action, actor, apiKey, instanceIds, ...detail } = event;
    const base = { at: new Date(at), action, actor, apiKey, detail };
    return instanceIds.length === 0
      ? [{ ...base, eventId: id, externalId: null }]
      : instanceIds.map((externalId, i) => ({ ...base, eventId: i === 0 ? id : `${id}#${i}`, externalId }));
  });
  await insertProviderEvents(connection.id, rows, ctx.now);
  await linkProviderEvents(connection.id);
  await rememberUnseen(connection.id, connection.provider, ctx.now);
  await markEventsRead(connection.id, ctx.now, readTo, null);
}

/** The lesser reads: when one fails, the listing's own failure says so loudly enough. */
async function looking(
  connection: Connection,
  read: (lambda: ReturnType<typeof lambdaOf>) => Promise<void>,
): Promise<void> {
  try {
    await read(lambdaOf(connection, "look"));
  } catch (error) {
    if (!(error instanceof LambdaError)) throw error;
    await slowDown(connection.id, error);
    throw new Error(error.message);
  }
}
