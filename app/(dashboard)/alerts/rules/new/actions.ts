"use server";

import { NewAlertRule } from "@/lib/domain/alerts/rule-input";
import { createTestedRule } from "@/lib/services/alerts/backtest";
import { action } from "@/lib/web/action";

export const create = action(NewAlertRule, createTestedRule);
