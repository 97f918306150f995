"use server";

import { SavedChange, SavedFields, SavedId } from "@/lib/domain/saved";
import { changeChecklist, createChecklist, removeChecklist } from "@/lib/services/intents/checklists";
import { action } from "@/lib/web/action";

export const create = action(SavedFields, createChecklist);
export const change = action(SavedChange, changeChecklist);
export const remove = action(SavedId, removeChecklist);
