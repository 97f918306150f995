import { SavedChange } from "@/lib/domain/saved";
import { changeChecklist } from "@/lib/services/intents/checklists";
import { post } from "@/lib/web/route";

export const POST = post(SavedChange, changeChecklist);
