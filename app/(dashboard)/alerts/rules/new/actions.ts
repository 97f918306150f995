"use server";

import { NewAlertRule } from "@/lib/domain/alerts/rule-input";
import { createRule } from "@/lib/services/alerts/rules";
import { action } from "@/lib/web/action";

export const create = action(NewAlertRule, createRule);
