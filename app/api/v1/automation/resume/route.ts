import { ResumeAutomation } from "@/lib/domain/policies/view";
import { resumeAutomation } from "@/lib/services/policies/automation";
import { post } from "@/lib/web/route";

export const POST = post(ResumeAutomation, resumeAutomation);
