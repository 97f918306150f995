import { PolicyChange } from "@/lib/domain/policies/policy";
import { changePolicy } from "@/lib/services/policies/policies";
import { post } from "@/lib/web/route";

export const POST = post(PolicyChange, changePolicy);
