import { z } from "zod";
import { readAutomation } from "@/lib/services/policies/automation";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readAutomation);
