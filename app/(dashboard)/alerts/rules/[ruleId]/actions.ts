"use server";

import { AlertRuleChange, RuleSwitch } from "@/lib/domain/alerts/rule-input";
import { RuleId } from "@/lib/domain/alerts/rule-view";
import { changeTestedRule } from "@/lib/services/alerts/backtest";
import { removeRule, switchRule } from "@/lib/services/alerts/rules";
import { action } from "@/lib/web/action";

export const change = action(AlertRuleChange, changeTestedRule);
export const turn = action(RuleSwitch, switchRule);
export const remove = action(RuleId, removeRule);
