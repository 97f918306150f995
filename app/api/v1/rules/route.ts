import { z } from "zod";
import { NewAlertRule } from "@/lib/domain/alerts/rule-input";
import { readRules } from "@/lib/services/alerts/rule-reads";
import { createRule } from "@/lib/services/alerts/rules";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readRules);

export const POST = post(NewAlertRule, createRule);
