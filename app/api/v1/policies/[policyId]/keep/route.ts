import { KeepTarget } from "@/lib/domain/policies/view";
import { keepTarget } from "@/lib/services/policies/policies";
import { post } from "@/lib/web/route";

export const POST = post(KeepTarget, keepTarget);
