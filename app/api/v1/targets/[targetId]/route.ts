import { TargetChange } from "@/lib/domain/targets";
import { changeTarget } from "@/lib/services/telemetry/targets";
import { post } from "@/lib/web/route";

export const POST = post(TargetChange, changeTarget);
