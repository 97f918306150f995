"use server";

import { ResumeAutomation, StopAutomation } from "@/lib/domain/policies/view";
import { resumeAutomation, stopAutomation } from "@/lib/services/policies/automation";
import { action } from "@/lib/web/action";

export const stop = action(StopAutomation, stopAutomation);
export const resume = action(ResumeAutomation, resumeAutomation);
