import { SavedId } from "@/lib/domain/saved";
import { removeChecklist } from "@/lib/services/intents/checklists";
import { post } from "@/lib/web/route";

export const POST = post(SavedId, removeChecklist);
