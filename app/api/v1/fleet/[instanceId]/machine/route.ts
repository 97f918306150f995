import { MachineQuestion } from "@/lib/domain/fleet/machine";
import { readMachine } from "@/lib/services/fleet/machine";
import { get } from "@/lib/web/route";

export const GET = get(MachineQuestion, readMachine);
