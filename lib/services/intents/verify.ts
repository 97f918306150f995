import { transact } from "@/lib/db/client";
import { ledgerOf } from "@/lib/db/cost/ledger";
import { writeAudit } from "@/lib/db/mutate";
import { readSetting } from "@/lib/db/settings";
import { findVerified, listToVerify, saveVerification, type VerifiedMachine } from "@/lib/db/verification";
import { authorize, type Ctx } from "@/lib/domain/access";
import { sum } from "@/lib/domain/cost/money";
import type { MachineQuestion } from "@/lib/domain/fleet/machine";
import {
  CHECK_NAMES,
  readVerification,
  type Verification,
  type VerificationAnswer,
  verify,
} from "@/lib/domain/intents/verification";
import { readHost } from "@/lib/domain/telemetry/host";

/** A machine that failed may be mended within this time, and passes then; later it is what it is. */
const MENDED_WITHIN_MS = 24 * 3_600_000;

/** Holds machines of our launches against what was ordered, until each has passed. */
export async function verifyLaunches(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const machines = await listToVerify(new Date(ctx.now.getTime() - MENDED_WITHIN_MS));
  if (machines.length === 0) return;
  const { minDriver } = await readSetting("guardrails");
  for (const machine of machines) {
    if (signal?.aborted) return;
    const before = readVerification(machine.verification);
    const found = verificationOf(machine, minDriver, before, ctx.now.getTime());
    if (!found || JSON.stringify(found) === JSON.stringify(before)) continue;
    await transact(async (tx) => {
      await saveVerification(tx, machine.id, found, ctx.now);
      if (found.state === "checking" || found.state === before?.state) return;
      await writeAudit(tx, ctx, {
        action: found.state === "passed" ? "instance.verified" : "instance.verification-failed",
        subjectKind: "instance",
        subjectId: machine.id,
        subject: machine.name,
        reason: found.state === "passed" ? null : failures(found),
      });
    });
  }
}

function failures({ checks }: Verification): string {
  const failed = checks.filter(({ state }) => state === "failed");
  return failed.map(({ key, words }) => `${CHECK_NAMES[key]}: ${words}`).join("; ");
}

function verificationOf(
  machine: VerifiedMachine,
  minDriver: string,
  before: Verification | null,
  now: number,
): Verification | null {
  if (machine.activeAt === null) return null;
  const { gpus, gpuMemoryGb, fileSystemName, cards, agent } = machine;
  return verify(
    { gpus, gpuModel: orderedModel(machine), gpuMemoryGb, fileSystemName, minDriver },
    {
      activeAt: machine.activeAt.getTime(),
      heardAt: agent?.firstSeenAt.getTime() ?? null,
      gpus: cards,
      facts: readHost(agent?.host),
      clockSkewMs: agent?.clockSkewMs ?? null,
    },
    before,
    now,
  );
}

/** Lambda's description names the chip; bus and form stand in the type's name. */
function orderedModel({ gpuModel, typeName }: VerifiedMachine): string | null {
  if (gpuModel === null || /pcie|sxm/i.test(gpuModel)) return gpuModel;
  const [form] = /pcie|sxm/i.exec(typeName ?? "") ?? [];
  return form === undefined ? gpuModel : `${gpuModel} ${form.toUpperCase()}`;
}

/** What is known of a machine's checks after its boot, and what it has cost. */
export async function readVerificationOf(ctx: Ctx, { instanceId }: MachineQuestion): Promise<VerificationAnswer> {
  authorize(ctx, "fleet:read");
  const now = ctx.now.getTime();
  const machine = await findVerified(instanceId);
  if (!machine) return { now, isOurs: false, verification: null, costMicros: "0" };
  const [{ minDriver }, ledger] = await Promise.all([readSetting("guardrails"), ledgerOf(instanceId)]);
  const kept = readVerification(machine.verification);
  return {
    now,
    isOurs: true,
    verification: kept ?? verificationOf(machine, minDriver, null, now),
    costMicros: sum(ledger.map((line) => line.micros ?? 0n)).toString(),
  };
}
