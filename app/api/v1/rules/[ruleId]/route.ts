import { AlertRuleChange } from "@/lib/domain/alerts/rule-input";
import { RuleId } from "@/lib/domain/alerts/rule-view";
import { readRule } from "@/lib/services/alerts/rule-reads";
import { changeRule } from "@/lib/services/alerts/rules";
import { get, post } from "@/lib/web/route";

export const GET = get(RuleId, readRule);

export const POST = post(AlertRuleChange, changeRule);
