import { CommitmentId } from "@/lib/domain/cost/price-input";
import { removeCommitment } from "@/lib/services/cost/price-verbs";
import { post } from "@/lib/web/route";

export const POST = post(CommitmentId, removeCommitment);
