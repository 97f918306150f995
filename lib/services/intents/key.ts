import type { Connection } from "@/lib/db/fleet/connection";
import { freezeMutations, takeKeyCheck, thawMutations } from "@/lib/db/fleet/connection";
import { recordAudit } from "@/lib/db/mutate";
import type { Ctx } from "@/lib/domain/access";
import { LambdaError } from "@/lib/integrations/lambda/errors";
import { lambdaOf, slowDown } from "@/lib/services/fleet/lambda";

const CHECK_MS = 60_000;

/** Whether it is the key that was refused, or the account: not this one request. */
export function isRefusalOfKey({ kind, status, code }: LambdaError): boolean {
  return kind === "unauthorised" && (status === 401 || code === "global/account-inactive");
}

/** The key for changes is refused: nothing is launched, restarted or terminated until it is accepted. Looking goes on. */
export async function freezeChanges(ctx: Ctx, connection: Connection): Promise<void> {
  const error = "Lambda refuses the key with which instances are launched and terminated";
  if (!(await freezeMutations(connection.id, ctx.now, error))) return;
  await recordAudit(ctx, {
    action: "connection.key-refused",
    subjectKind: "connection",
    subjectId: connection.id,
    subject: connection.name,
    reason: `${error}. What was asked for waits.`,
  });
}

/** Whether changes may be sent. A key that was refused is tried again once a minute, with a question that changes nothing. */
export async function isKeyAccepted(ctx: Ctx, connection: Connection): Promise<boolean> {
  if (connection.mutateFrozenAt === null) return true;
  if (!(await takeKeyCheck(connection.id, new Date(ctx.now.getTime() - CHECK_MS), ctx.now))) return false;
  try {
    await lambdaOf(connection, "change").listSshKeys();
  } catch (error) {
    if (!(error instanceof LambdaError)) throw error;
    await slowDown(connection.id, error);
    return false;
  }
  if (await thawMutations(connection.id))
    await recordAudit(ctx, {
      action: "connection.key-accepted",
      subjectKind: "connection",
      subjectId: connection.id,
      subject: connection.name,
      reason: "Lambda accepts the key again; what waits is sent.",
    });
  return true;
}
