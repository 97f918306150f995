import { SilenceId } from "@/lib/domain/silences/view";
import { endSilenceNow } from "@/lib/services/silences/silences";
import { post } from "@/lib/web/route";

export const POST = post(SilenceId, endSilenceNow);
