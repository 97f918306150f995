import { listPastMachines } from "@/lib/db/demo";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { NewDeploy } from "@/lib/domain/events/deploy";
import { markDeploy } from "@/lib/services/events/deploy";

const HOUR_MS = 3_600_000;

/** How long ago, and what: as a team's pipeline would have told. */
const DEPLOYS: readonly (readonly [agoMs: number, name: string])[] = [
  [75 * HOUR_MS, "chat-server 1.14.2"],
  [27.4 * HOUR_MS, "chat-server 1.15.0"],
  [0.6 * HOUR_MS, "chat-server 1.15.1"],
];

/** Marks on the axes of the machines that serve. */
export async function markDeploys(ctx: Ctx): Promise<void> {
  const now = ctx.now.getTime();
  const serving = (await listPastMachines()).filter(
    ({ workload, goneAt }) => workload === "inference" && goneAt === null,
  );
  if (serving.length === 0) return;
  for (const [agoMs, name] of DEPLOYS)
    await markDeploy(
      systemCtx("pipeline", ctx.now),
      NewDeploy.parse({
        id: `demo/${name}`,
        name,
        at: Math.round(now - agoMs),
        instances: serving.map(({ id }) => id),
      }),
    );
}
