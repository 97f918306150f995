import { PolicyVersion } from "@/lib/domain/policies/policy";
import { removePolicy } from "@/lib/services/policies/policies";
import { post } from "@/lib/web/route";

export const POST = post(PolicyVersion, removePolicy);
