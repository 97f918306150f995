import { z } from "zod";
import { SavedFields } from "@/lib/domain/saved";
import { launchTemplates, readLaunchTemplates } from "@/lib/services/intents/templates";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readLaunchTemplates);
export const POST = post(SavedFields, launchTemplates.create);
