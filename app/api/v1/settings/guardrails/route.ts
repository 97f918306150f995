import { z } from "zod";
import { readGuardrails } from "@/lib/services/guardrails";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readGuardrails);
