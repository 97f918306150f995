import { AssignFinding } from "@/lib/domain/alignment/view";
import { assignDrift } from "@/lib/services/alignment/findings";
import { post } from "@/lib/web/route";

export const POST = post(AssignFinding, assignDrift);
