import { seedDemo } from "@/lib/services/demo/seed";
import { env, withDatabase } from "./connect";
import { UsageError } from "./usage";

export async function demo([act]: string[]): Promise<number> {
  const adminUrl = env.simulatorAdminUrl;
  if (act !== "seed") throw new UsageError(`demo ${act ?? ""}: not understood.`);
  if (env.mode !== "demo" || !adminUrl) throw new UsageError("The demo's past is written by npm start.");
  const began = performance.now();
  const { isNew, samples, machines } = await withDatabase((ctx) => seedDemo(ctx, adminUrl, env.demoDays));
  console.log(
    isNew
      ? `${env.demoDays} days of ${machines} machines, ${samples} samples, ${Math.round((performance.now() - began) / 1000)} s`
      : "in place",
  );
  return 0;
}
