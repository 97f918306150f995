import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { untilDisconnected } from "@/lib/db/memory";
import { readNewest } from "@/lib/db/telemetry/read";
import { listRoster } from "@/lib/db/telemetry/roster";
import { authorize, type Ctx } from "@/lib/domain/access";
import {
  encodeLive,
  encodeRoster,
  LIVE_SETS,
  type LiveRow,
  type LiveSet,
  type Roster,
} from "@/lib/domain/telemetry/live";

/*
 * Every viewer of a tick gets the same bytes: read, encoded and compressed once. They poll. Measured with 100 viewers of 10,000
 * GPUs on one core: a poll costs the server 0.16 ms and 83 kB; the same as a server-sent event 0.15 ms but 195 kB, since an
 * event stream is compressed per viewer or not at all, and 4.1 ms where it is. A poll is also authorised each time, and
 * answered without a body when nothing came in. gzip at level 4: brotli at the same cost is 1 to 2 % smaller.
 */

const TICK_MS = 5_000;
const ROSTER_TICK_MS = 15_000;
const GZIP_LEVEL = 4;
const USUAL_INTERVAL_MS = 10_000;

const compress = promisify(gzip);

/** A JSON answer as it was made for all who ask in one tick. */
export type Packed = { etag: string; json: string; gzip: Uint8Array };

/** The newest sample of every GPU, in the order of the roster. */
export function readLive(ctx: Ctx, { metrics }: { metrics: LiveSet }): Promise<Packed> {
  authorize(ctx, "fleet:read");
  return once(`live ${metrics}`, tickOf(ctx, TICK_MS), async () => {
    const { roster, gpus } = await currentRoster(ctx);
    const newest = await readNewest((gpuId) => gpus.get(gpuId)?.intervalMs ?? USUAL_INTERVAL_MS);
    const rows: LiveRow[] = [];
    for (const { gpuId, memoryMib, intervalMs } of gpus.values()) {
      const one = newest.get(gpuId);
      if (one) rows.push({ gpuId, memoryMib, intervalMs, at: one.at, values: one.values });
    }
    return pack(encodeLive(roster, rows, LIVE_SETS[metrics], ctx.now.getTime()));
  });
}

/** Who stands where in the live view. */
export async function readRoster(ctx: Ctx): Promise<Packed> {
  authorize(ctx, "fleet:read");
  return (await currentRoster(ctx)).packed;
}

type Known = { gpuId: number; memoryMib: number | null; intervalMs: number };
type Current = { roster: Roster; packed: Packed; gpus: ReadonlyMap<number, Known> };

function currentRoster(ctx: Ctx): Promise<Current> {
  return once("roster", tickOf(ctx, ROSTER_TICK_MS), async () => {
    const listed = await listRoster();
    const roster = encodeRoster(listed, versionOf);
    const gpus = new Map(
      listed.map(({ gpuId, memoryMib, intervalMs }) => [gpuId, { gpuId, memoryMib, intervalMs }] as const),
    );
    return { roster, packed: await pack(roster), gpus };
  });
}

async function pack(answer: unknown): Promise<Packed> {
  const json = JSON.stringify(answer);
  return { etag: `"${versionOf(json)}"`, json, gzip: await compress(json, { level: GZIP_LEVEL }) };
}

function versionOf(content: string): string {
  return createHash("sha256").update(content).digest("base64url").slice(0, 22);
}

function tickOf({ now }: Ctx, everyMs: number): number {
  return Math.floor(now.getTime() / everyMs);
}

const held = new Map<string, { tick: number; answer: Promise<unknown> }>();
untilDisconnected(() => held.clear());

/** The answer of this tick: whoever asks first makes it, the others wait for the same one. A failure is not kept. */
function once<T>(name: string, tick: number, make: () => Promise<T>): Promise<T> {
  const found = held.get(name);
  // What is held under a name was made for it by the one caller that uses the name.
  if (found?.tick === tick) return found.answer as Promise<T>;
  const answer = make();
  held.set(name, { tick, answer });
  answer.catch(() => {
    if (held.get(name)?.answer === answer) held.delete(name);
  });
  return answer;
}
