import { MachineAlignmentQuestion } from "@/lib/domain/alignment/view";
import { readMachineAlignment } from "@/lib/services/alignment/machine";
import { get } from "@/lib/web/route";

export const GET = get(MachineAlignmentQuestion, readMachineAlignment);
