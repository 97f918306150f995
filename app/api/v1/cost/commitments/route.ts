import { NewCommitment } from "@/lib/domain/cost/price-input";
import { addCommitment } from "@/lib/services/cost/price-verbs";
import { post } from "@/lib/web/route";

export const POST = post(NewCommitment, addCommitment);
