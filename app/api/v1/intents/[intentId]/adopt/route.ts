import { AdoptMachine } from "@/lib/domain/intents/queue";
import { adoptMachine } from "@/lib/services/intents/queue";
import { post } from "@/lib/web/route";

export const POST = post(AdoptMachine, adoptMachine);
