import { NewLaunch } from "@/lib/domain/intents/launch";
import { requestLaunch } from "@/lib/services/intents/launch";
import { post } from "@/lib/web/route";

export const POST = post(NewLaunch, requestLaunch);
