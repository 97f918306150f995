import { currentPrice } from "@/lib/db/cost/prices";
import { EVERY_REGION, listOffers } from "@/lib/db/fleet/catalog";
import { findConnection } from "@/lib/db/fleet/connection";
import { findLastSpans, lastProcesses, launchesOf, namedByFiring, readUse } from "@/lib/db/fleet/evidence";
import { type InstanceFacts, listFilesystems, listInstances } from "@/lib/db/fleet/read";
import { countLately, openIntentsOf } from "@/lib/db/intents";
import { listSaved } from "@/lib/db/saved";
import { readSetting, readSettingNow } from "@/lib/db/settings";
import { readMachineMeans } from "@/lib/db/telemetry/read";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { dayOf, monthOf, monthRange } from "@/lib/domain/cost/zone";
import type { ChangeEvidence, EvidencesAnswer, MachineChoice } from "@/lib/domain/intents/change";
import { ChecklistBody } from "@/lib/domain/intents/checklist-input";
import { resolveRange } from "@/lib/domain/telemetry/series";
import { AppError } from "@/lib/errors";
import { STORAGE_SKU } from "@/lib/services/cost/meter";
import { readFreshness } from "@/lib/services/fleet/freshness";
import { readGpusOf } from "@/lib/services/fleet/instance";
import { instanceRows } from "@/lib/services/fleet/instances";
import { chosenIds } from "./choice";
import { evidenceOf, type Surroundings } from "./evidence-parts";

const PROVIDER = "lambda";
const LINE_MS = 2.5 * 3_600_000;
const LINE_POINTS = 76;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Kind = "terminate" | "restart";
type Read = { found: ChangeEvidence[]; refused: EvidencesAnswer["refused"] };

/** What a person must see before a machine ends or restarts: what runs on it, what is lost, what goes on billing. */
export async function readChangeEvidence(
  ctx: Ctx,
  { instanceId, kind }: { instanceId: string; kind: Kind },
): Promise<ChangeEvidence> {
  authorize(ctx, "fleet:read");
  const { found, refused } = await gather(ctx, [instanceId], kind, true);
  if (found[0]) return found[0];
  if (refused[0]) throw new AppError("conflict", refused[0].words);
  throw new AppError("not-found", "There is no such instance, or it was never seen here.");
}

/** The same of many machines at once, without their lines: what is gone or unknown is said apart. */
export async function readEvidences(ctx: Ctx, choice: MachineChoice): Promise<EvidencesAnswer> {
  authorize(ctx, "fleet:read");
  const ids = await chosenIds(choice, ctx.now);
  const [{ found, refused }, { isFrozen }] = await Promise.all([
    gather(ctx, ids, "terminate", false),
    readFreshness(ctx.now),
  ]);
  const seen = new Set([...found, ...refused].map(({ instanceId }) => instanceId));
  const unknown = ids.filter((id) => !seen.has(id));
  return {
    now: ctx.now.getTime(),
    rows: found,
    refused: [
      ...refused,
      ...unknown.map((instanceId) => ({
        instanceId,
        name: instanceId.slice(0, 8),
        words: "There is no such instance, or it was never seen here.",
      })),
    ],
    denied: can(ctx.actor, "intent:terminate-many")
      ? null
      : "Your role does not allow to end several instances at once.",
    frozen: isFrozen,
  };
}

/** Evidence of the machines that are still there, in the order they were asked for. */
export async function gather(ctx: Ctx, ids: string[], kind: Kind, isWithLine: boolean): Promise<Read> {
  const now = ctx.now.getTime();
  const { zone } = await readSetting("accounting");
  const today = dayOf(now, zone);
  const [asked, fleet, spans] = await Promise.all([
    listInstances(today, { ids }),
    listInstances(today, { goneSince: ctx.now }),
    findLastSpans(ids),
  ]);
  const here = asked.filter(({ id, goneAt }) => goneAt === null && spans.has(id));
  const around = await surroundings(ctx, here, fleet, zone, kind);
  const range = resolveRange(now - LINE_MS, now, LINE_POINTS);
  const lines = isWithLine
    ? await readMachineMeans(
        here.map(({ id }) => id),
        "utilizationPct",
        range,
      )
    : new Map<string, (number | null)[]>();
  const byId = new Map(here.map((facts) => [facts.id, facts]));
  const found = ids.flatMap((id) => {
    const facts = byId.get(id);
    const span = spans.get(id);
    return facts && span
      ? (evidenceOf(ctx, kind, facts, span, around, { line: lines.get(id) ?? [], lineFrom: range.from }) ?? [])
      : [];
  });
  const refused = asked
    .filter(({ goneAt }) => goneAt !== null)
    .map(({ id, name, externalId }) => ({
      instanceId: id,
      name: name ?? externalId,
      words: `${name ?? externalId} is gone already; nothing bills for it.`,
    }));
  return { found, refused };
}

/** What is asked once for all of them. */
async function surroundings(
  ctx: Ctx,
  here: InstanceFacts[],
  fleet: InstanceFacts[],
  zone: string,
  kind: Kind,
): Promise<Surroundings> {
  const ids = here.map(({ id }) => id);
  const now = ctx.now.getTime();
  const [rows, gpus, use, freshness, connection, filesystems, storage, offers, open, named, lately, last, launches] =
    await Promise.all([
      instanceRows(here, ctx.now),
      readGpusOf(ids),
      readUse(ids, new Date(now - DAY_MS), ctx.now),
      readFreshness(ctx.now),
      findConnection(),
      listFilesystems(),
      currentPrice({ provider: PROVIDER, sku: STORAGE_SKU, region: EVERY_REGION, unit: "gib_month" }),
      listOffers(PROVIDER, new Date(now - DAY_MS)),
      openIntentsOf(ids, kind),
      namedByFiring(ids),
      ctx.actor.kind === "user" ? countLately(ctx.actor.id, "terminate", new Date(now - HOUR_MS)) : 0,
      lastProcesses(ids),
      launchesOf(ids),
    ]);
  const [guardrails, kept] = await Promise.all([readSettingNow("guardrails"), listSaved("checklist", null)]);
  return {
    fleet,
    rows: new Map(rows.map((row) => [row.id, row])),
    gpus,
    use,
    isFrozen: freshness.isFrozen,
    listedAt: connection?.lastOkAt?.getTime() ?? null,
    filesystems,
    storageMicros: storage?.micros ?? null,
    offers,
    open,
    named,
    lately,
    last,
    launches,
    guardrails,
    checklists: kept.flatMap(({ name, body }) => {
      const read = ChecklistBody.safeParse(body);
      return read.success ? [{ name, body: read.data }] : [];
    }),
    monthEnd: monthRange(monthOf(now, zone), zone).to,
    zone,
  };
}
