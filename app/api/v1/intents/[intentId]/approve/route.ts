import { ApproveIntent } from "@/lib/domain/intents/approval";
import { approveIntent } from "@/lib/services/intents/approve";
import { post } from "@/lib/web/route";

export const POST = post(ApproveIntent, approveIntent);
