import { SavedChange, SavedId } from "@/lib/domain/saved";
import { launchTemplates } from "@/lib/services/intents/templates";
import { get, post } from "@/lib/web/route";

export const GET = get(SavedId, launchTemplates.find);
export const POST = post(SavedChange, launchTemplates.change);
