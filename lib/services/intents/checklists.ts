import type { Ctx } from "@/lib/domain/access";
import { type ChecklistsAnswer, DEFAULT_ITEMS } from "@/lib/domain/intents/checklist";
import { ChecklistBody } from "@/lib/domain/intents/checklist-input";
import { savedNoun } from "@/lib/services/saved/saved";

const checklists = savedNoun({
  kind: "checklist",
  called: "checklist",
  body: ChecklistBody,
  write: "checklist:write",
  isCommon: true,
});

export const createChecklist = checklists.create;
export const changeChecklist = checklists.change;
export const removeChecklist = checklists.remove;

/** What teams want looked at before a machine ends, and what is usual where nobody said. */
export async function readChecklists(ctx: Ctx): Promise<ChecklistsAnswer> {
  const rows = await checklists.list(ctx);
  return { now: ctx.now.getTime(), rows, usual: DEFAULT_ITEMS };
}
