"use server";

import { IntentId } from "@/lib/domain/intents/change";
import { ApproveMany, BreakGlassMany, RefuseMany } from "@/lib/domain/intents/waiting";
import { approveMany, breakGlassMany, refuseMany } from "@/lib/services/intents/approvals";
import { cancelIntent } from "@/lib/services/intents/change";
import { action } from "@/lib/web/action";

export const approve = action(ApproveMany, approveMany);
export const refuse = action(RefuseMany, refuseMany);
export const breakGlass = action(BreakGlassMany, breakGlassMany);
export const cancel = action(IntentId, cancelIntent);
