import { PolicyVersion } from "@/lib/domain/policies/policy";
import { pausePolicy } from "@/lib/services/policies/policies";
import { post } from "@/lib/web/route";

export const POST = post(PolicyVersion, pausePolicy);
