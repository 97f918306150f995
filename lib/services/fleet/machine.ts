import { findAgent } from "@/lib/db/telemetry/sources";
import { authorize, type Ctx } from "@/lib/domain/access";
import { isOlderVersion, type MachineAnswer, type MachineQuestion } from "@/lib/domain/fleet/machine";
import { readHost } from "@/lib/domain/telemetry/host";
import { env } from "@/lib/env";
import { agentVersion } from "@/lib/services/agent/files";
import { updateLine } from "@/lib/services/agent/user-data";

/** What the newest agent of a machine told of it: which agent, driver and versions, clock, mounts, and whether CUDA works. */
export async function readMachine(ctx: Ctx, { instanceId }: MachineQuestion): Promise<MachineAnswer> {
  authorize(ctx, "fleet:read");
  const [source, newest] = await Promise.all([findAgent(instanceId), agentVersion()]);
  const now = ctx.now.getTime();
  if (source === null) return { now, agent: null, clockSkewMs: null, facts: {} };
  const { machine = null, kernel = null, ...facts } = readHost(source.host);
  return {
    now,
    agent: {
      version: source.agentVersion,
      newest,
      isOlder: isOlderVersion(source.agentVersion, newest),
      updateLine: updateLine(env.publicUrl),
      lastReceivedAt: source.lastReceivedAt.getTime(),
      kernel,
      architecture: machine,
    },
    clockSkewMs: source.clockSkewMs,
    facts,
  };
}
