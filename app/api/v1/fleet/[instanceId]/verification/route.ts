import { MachineQuestion } from "@/lib/domain/fleet/machine";
import { readVerificationOf } from "@/lib/services/intents/verify";
import { get } from "@/lib/web/route";

export const GET = get(MachineQuestion, readVerificationOf);
