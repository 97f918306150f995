import { TargetId } from "@/lib/domain/targets";
import { removeTarget } from "@/lib/services/telemetry/targets";
import { post } from "@/lib/web/route";

export const POST = post(TargetId, removeTarget);
