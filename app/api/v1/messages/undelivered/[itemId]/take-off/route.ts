import { UndeliveredId } from "@/lib/domain/notify/route-input";
import { takeOff } from "@/lib/services/notify/routes";
import { post } from "@/lib/web/route";

export const POST = post(UndeliveredId, takeOff);
