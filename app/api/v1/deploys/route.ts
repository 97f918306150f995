import { NewDeploy } from "@/lib/domain/events/deploy";
import { markDeploy } from "@/lib/services/events/deploy";
import { post } from "@/lib/web/route";

export const POST = post(NewDeploy, markDeploy);
