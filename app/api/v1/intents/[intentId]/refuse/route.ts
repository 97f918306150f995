import { RefuseIntent } from "@/lib/domain/intents/approval";
import { refuseIntent } from "@/lib/services/intents/approve";
import { post } from "@/lib/web/route";

export const POST = post(RefuseIntent, refuseIntent);
