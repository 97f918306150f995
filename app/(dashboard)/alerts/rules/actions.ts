"use server";

import { RuleSwitch } from "@/lib/domain/alerts/rule-input";
import { switchRule } from "@/lib/services/alerts/rules";
import { action } from "@/lib/web/action";

export const turn = action(RuleSwitch, switchRule);
