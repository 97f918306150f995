"use server";

import { Assign, EndRule, MoveRule, RuleDraft } from "@/lib/domain/cost/allocation-view";
import { assignResources, createRule, endRule, moveRule, previewRule } from "@/lib/services/cost/allocation-change";
import { action } from "@/lib/web/action";

export const assign = action(Assign, assignResources);
export const create = action(RuleDraft, createRule);
export const preview = action(RuleDraft, previewRule);
export const end = action(EndRule, endRule);
export const move = action(MoveRule, moveRule);
