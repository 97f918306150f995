import { FindingId } from "@/lib/domain/alignment/view";
import { reopenDrift } from "@/lib/services/alignment/findings";
import { post } from "@/lib/web/route";

export const POST = post(FindingId, reopenDrift);
