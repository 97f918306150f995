import { SavedId } from "@/lib/domain/saved";
import { launchTemplates } from "@/lib/services/intents/templates";
import { post } from "@/lib/web/route";

export const POST = post(SavedId, launchTemplates.remove);
