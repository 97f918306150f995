import { readNow } from "@/lib/services/clock";
import { seedDemo } from "@/lib/services/demo/seed";
import { pollInstances } from "@/lib/services/fleet/poll";
import { env, withDatabase } from "./connect";
import { UsageError } from "./usage";

export async function demo([act]: string[]): Promise<number> {
  const adminUrl = env.simulatorAdminUrl;
  if (act !== "seed") throw new UsageError(`demo ${act ?? ""}: not understood.`);
  if (env.mode !== "demo" || !adminUrl) throw new UsageError("The demo's past is written by npm start.");
  const began = performance.now();
  const { isNew, samples, machines } = await withDatabase(async (ctx) => {
    const told = await seedDemo(ctx, adminUrl, env.demoDays);
    // Telling the past took its time: the first page must not open on a stale fleet.
    if (told.isNew) await pollInstances({ ...ctx, now: await readNow() });
    return told;
  });
  console.log(
    isNew
      ? `${env.demoDays} days of ${machines} machines, ${samples} samples, ${Math.round((performance.now() - began) / 1000)} s`
      : "in place",
  );
  return 0;
}
