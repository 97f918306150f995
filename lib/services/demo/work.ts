import { transact } from "@/lib/db/client";
import { findSourceOf } from "@/lib/db/demo";
import { insertRun } from "@/lib/db/workload/runs";
import { openSeries, rollUpSeries, type SeriesValue, setRolledUpTo, writeSeries } from "@/lib/db/workload/series";
import { isCounter, recogniseWorkloadMetric } from "@/lib/domain/workload/catalogue";
import { canonicalLabels } from "@/lib/domain/workload/labels";
import { expectedMsOf } from "@/lib/domain/workload/run";
import { readWork, type WorkChunk } from "./history";
import type { Guests } from "./samples";

/** Of the older past, every quarter of an hour is enough to draw it. */
const COARSE_MS = 15 * 60_000;
const FINE_MS = 60_000;
const ROWS_AT_ONCE = 20_000;

type Senders = Map<string, Awaited<ReturnType<typeof findSourceOf>>>;

/** The runs of the demo's past and what they said of themselves, as their programs would have pushed it. */
export async function loadWork(
  guests: Guests,
  adminUrl: string,
  from: number,
  fineFrom: number,
  to: number,
): Promise<void> {
  const runs = new Map<string, string>();
  const senders: Senders = new Map();
  let rows: SeriesValue[] = [];
  const flush = async () => {
    // Hours are derived once, below.
    await writeSeries(rows, new Date(0));
    rows = [];
  };
  for (const [start, end, stepMs] of [
    [from, fineFrom, COARSE_MS],
    [fineFrom, to, FINE_MS],
  ] as const) {
    for await (const chunk of readWork(adminUrl, start, end, stepMs)) {
      rows.push(...(await valuesOf(chunk, guests, runs, senders)));
      if (rows.length >= ROWS_AT_ONCE) await flush();
    }
  }
  await flush();
  await rollUpSeries(new Date(from), new Date(to));
  await setRolledUpTo(new Date(to));
}

async function valuesOf(
  chunk: WorkChunk,
  guests: Guests,
  runs: Map<string, string>,
  senders: Senders,
): Promise<SeriesValue[]> {
  const guest = guests.get(chunk.instanceId);
  if (!guest) return [];
  const sender = senders.get(chunk.instanceId) ?? (await findSourceOf(guest.resourceId));
  senders.set(chunk.instanceId, sender);
  if (!sender) return [];
  const { run } = chunk;
  const runId = runs.get(run.id) ?? (await writeRun(chunk, guest));
  runs.set(run.id, runId);
  const wanted = chunk.series.flatMap(({ name, labels, values }) => {
    const known = recogniseWorkloadMetric(name);
    if (!known) return [];
    const metric = known.part === "value" ? known.metric : `${known.metric}_${known.part}`;
    const own = canonicalLabels({ ...labels, ...known.labels, run: run.id });
    return [{ metric, labels: own, isCounter: isCounter(known), gpuId: null, runId, values }];
  });
  const { ids } = await openSeries(sender, wanted, new Date(chunk.at.at(-1) ?? 0));
  return wanted.flatMap(({ values }, i) => {
    const seriesId = ids[i] ?? null;
    if (seriesId === null) return [];
    return chunk.at.map((at, k) => ({ seriesId, at, value: values[k] ?? 0 }));
  });
}

async function writeRun({ run }: WorkChunk, guest: { resourceId: string; tokenId: string }): Promise<string> {
  const expectedMs = expectedMsOf(run.expectedHours);
  const id = crypto.randomUUID();
  await transact((tx) =>
    insertRun(tx, {
      id,
      externalId: run.id,
      name: run.name,
      workload: run.workload,
      resourceId: guest.resourceId,
      gpuIds: [],
      startedAt: new Date(run.startedAt),
      endedAt: run.endedAt === null ? null : new Date(run.endedAt),
      expectedMs: expectedMs === null ? null : BigInt(expectedMs),
      note: null,
      createdById: null,
      tokenId: guest.tokenId,
      createdAt: new Date(run.startedAt),
    }),
  );
  return id;
}
