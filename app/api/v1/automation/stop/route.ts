import { StopAutomation } from "@/lib/domain/policies/view";
import { stopAutomation } from "@/lib/services/policies/automation";
import { post } from "@/lib/web/route";

export const POST = post(StopAutomation, stopAutomation);
