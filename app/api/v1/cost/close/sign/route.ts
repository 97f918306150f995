import { SignPoint } from "@/lib/domain/cost/close";
import { signPoint } from "@/lib/services/cost/close";
import { post } from "@/lib/web/route";

export const POST = post(SignPoint, signPoint);
