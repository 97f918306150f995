import { UndeliveredId } from "@/lib/domain/notify/route-input";
import { sendAgain } from "@/lib/services/notify/routes";
import { post } from "@/lib/web/route";

export const POST = post(UndeliveredId, sendAgain);
