import { z } from "zod";
import { readPolicyChoices } from "@/lib/services/policies/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readPolicyChoices);
