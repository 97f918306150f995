import { SignReview } from "@/lib/domain/cost/close";
import { signReview } from "@/lib/services/cost/close";
import { post } from "@/lib/web/route";

export const POST = post(SignReview, signReview);
