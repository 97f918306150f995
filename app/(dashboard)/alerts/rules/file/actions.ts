"use server";

import { previewRuleFile, RuleFileText, takeRuleFile } from "@/lib/services/alerts/rule-file";
import { action } from "@/lib/web/action";

export const preview = action(RuleFileText, previewRuleFile);
export const take = action(RuleFileText, takeRuleFile);
