import { PolicyId } from "@/lib/domain/policies/policy";
import { readPolicy } from "@/lib/services/policies/read";
import { get } from "@/lib/web/route";

export const GET = get(PolicyId, readPolicy);
