import type { LaunchRequest } from "@/lib/domain/intents/intent";
import { env } from "@/lib/env";
import { LambdaError } from "@/lib/integrations/lambda/errors";
import { launchUserData } from "@/lib/services/agent/user-data";
import { openSecret } from "@/lib/services/secrets";
import { enrolmentToken } from "@/lib/services/tokens";

/** What a machine is started with: the agent with its own token, and what the person gave besides. Throws `not_sent`. */
export async function bootData(intentId: string, { userDataId }: LaunchRequest): Promise<string> {
  const own = userDataId ? await openSecret(userDataId) : "";
  if (own === null)
    throw new LambdaError("not_sent", "Its start-up data was sealed with another key and has to be given again");
  return launchUserData(env.publicUrl, enrolmentToken(intentId).secret, own);
}
