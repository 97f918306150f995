import { z } from "zod";
import { readRuleForm } from "@/lib/services/alerts/rule-reads";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readRuleForm);
