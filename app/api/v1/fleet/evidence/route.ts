import { MachineChoice } from "@/lib/domain/intents/change";
import { readEvidences } from "@/lib/services/intents/evidence";
import { post } from "@/lib/web/route";

export const POST = post(MachineChoice, readEvidences);
