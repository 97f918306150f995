import { SignReview } from "@/lib/domain/alignment/view";
import { signReview } from "@/lib/services/alignment/software";
import { post } from "@/lib/web/route";

export const POST = post(SignReview, signReview);
