import { noteFetchFailure, type Target, takeDueTargets } from "@/lib/db/telemetry/targets";
import type { Ctx } from "@/lib/domain/access";
import type { TargetCredential } from "@/lib/domain/targets";
import { type FromMetrics, parseMetricsPage } from "@/lib/domain/telemetry/from-metrics";
import { MetricMapping } from "@/lib/domain/telemetry/metric-mapping";
import { namesWith } from "@/lib/domain/telemetry/metric-names";
import { emptyReport } from "@/lib/domain/telemetry/report";
import { env } from "@/lib/env";
import { type Outbound, OutboundError } from "@/lib/integrations/outbound";
import { fetchPage } from "@/lib/integrations/scrape/fetch";
import { openSecret } from "@/lib/services/secrets";
import { takeIn } from "./take-in";

const AT_ONCE = 16;
/** More have their turn with the next run. */
const MOST_A_RUN = 1_000;

/** Fetches every page whose time has come, at most 16 at once. One that fails says why, and spoils nothing else. */
export async function scrapeTargets(ctx: Ctx, signal: AbortSignal, outbound: Partial<Outbound> = {}): Promise<void> {
  const started = performance.now();
  const due = await takeDueTargets(ctx.now, MOST_A_RUN);
  const next = due.values();
  const failures: unknown[] = [];
  const work = async () => {
    for (const target of next) {
      if (signal.aborted) return;
      const at = new Date(ctx.now.getTime() + Math.round(performance.now() - started));
      await scrapeTarget(target, at, outbound).catch((error) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, due.length) }, work));
  if (failures.length > 0) throw failures[0];
}

async function scrapeTarget(target: Target, at: Date, outbound: Partial<Outbound>): Promise<void> {
  try {
    const { batches, problems, sightings, labelled, processes } = await readTarget(target, at, outbound);
    const [fault] = problems.filter(({ kind }) => kind !== "no_identity");
    if (fault) throw new OutboundError(`The page cannot be read: ${fault.message}.`);
    if (batches.length + labelled.length === 0)
      throw new OutboundError("The page holds nothing that means something here: no GPU, no workload.");
    const report = { ...emptyReport(), batches, problems, sightings, labelled, processes };
    const { id, name, everyMs } = target;
    const sender = {
      kind: "scrape",
      token: null,
      sourceId: id,
      hostname: name,
      privateIp: null,
      intervalMs: everyMs,
    } as const;
    await takeIn([{ sender, report }], at);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    await noteFetchFailure(target.id, error.message);
  }
}

/** Fetches the page of a target and reads it. Throws an OutboundError where there is none. */
export async function readTarget(
  target: Pick<Target, "url" | "secretId" | "mapping">,
  at: Date,
  outbound: Partial<Outbound> = {},
): Promise<FromMetrics> {
  const credential = await credentialOf(target.secretId);
  if (credential === "unreadable")
    throw new OutboundError("Its credential cannot be read: SECRETS_KEY is another one. Enter it again.");
  const page = await fetchPage(target.url, credential, { allowedCidrs: env.outboundPrivateCidrs, ...outbound });
  const names = namesWith(MetricMapping.catch([]).parse(target.mapping ?? []));
  return parseMetricsPage(page.text, at.getTime(), { format: page.format, names });
}

/** What is sent along with the request; null: nothing. */
export async function credentialOf(secretId: string | null): Promise<TargetCredential | null | "unreadable"> {
  if (secretId === null) return null;
  const plain = await openSecret(secretId);
  const [, kind, secret] = /^(bearer|basic) ([\s\S]+)$/.exec(plain ?? "") ?? [];
  if (secret === undefined || (kind !== "bearer" && kind !== "basic")) return "unreadable";
  return { kind, secret };
}
