import { z } from "zod";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { createPolicy } from "@/lib/services/policies/policies";
import { readPolicies } from "@/lib/services/policies/read";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readPolicies);
export const POST = post(NewPolicy, createPolicy);
