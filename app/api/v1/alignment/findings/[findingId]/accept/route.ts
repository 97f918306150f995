import { AcceptFinding } from "@/lib/domain/alignment/view";
import { acceptDrift } from "@/lib/services/alignment/findings";
import { post } from "@/lib/web/route";

export const POST = post(AcceptFinding, acceptDrift);
