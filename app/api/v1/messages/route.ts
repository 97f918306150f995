import { DeliveryLogQuestion } from "@/lib/domain/notify/log-view";
import { readDeliveryLog } from "@/lib/services/notify/log";
import { get } from "@/lib/web/route";

export const GET = get(DeliveryLogQuestion, readDeliveryLog);
