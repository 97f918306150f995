import { findMachine } from "@/lib/db/fleet/resources";
import { recordAudit } from "@/lib/db/mutate";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { Rename } from "@/lib/domain/cloud/view";
import { machineName } from "@/lib/domain/intents/intent";
import { AppError } from "@/lib/errors";
import { change } from "./call";

/** Gives a machine another name; the mark of its launch, by which it is found again, stays at the end. */
export async function renameInstance(ctx: Ctx, { instanceId, name }: Rename): Promise<{ id: string }> {
  authorize(ctx, "cloud:write");
  const machine = await findMachine(instanceId);
  if (!machine) throw new AppError("not-found", "There is no such machine any more. Nothing was renamed.");
  const { externalId, launchIntentId } = machine;
  const wanted = launchIntentId === null ? name : machineName(name, launchIntentId);
  if (wanted === machine.name) return { id: instanceId };
  const subject = { subjectKind: "instance", subjectId: instanceId, subject: machine.name ?? externalId };
  await change(ctx, {
    ...subject,
    what: `rename ${subject.subject}`,
    run: async (lambda) => {
      await lambda.renameInstance(externalId, wanted);
      return true;
    },
    look: async (lambda) => ((await lambda.getInstance(externalId)).name === wanted ? true : null),
  });
  await recordAudit(ctx, {
    ...subject,
    action: "instance.renamed",
    before: { name: machine.name },
    after: { name: wanted },
  });
  return { id: instanceId };
}
