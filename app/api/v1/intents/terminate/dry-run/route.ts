import { DryRun } from "@/lib/domain/intents/change";
import { dryRunTerminate } from "@/lib/services/intents/batch";
import { post } from "@/lib/web/route";

export const POST = post(DryRun, dryRunTerminate);
