"use server";

import { NewLaunch } from "@/lib/domain/intents/launch";
import { SavedChange, SavedFields, SavedId } from "@/lib/domain/saved";
import { requestLaunch } from "@/lib/services/intents/launch";
import { launchTemplates } from "@/lib/services/intents/templates";
import { action } from "@/lib/web/action";

export const launch = action(NewLaunch, (ctx, input) => requestLaunch(ctx, input));
export const createTemplate = action(SavedFields, launchTemplates.create);
export const changeTemplate = action(SavedChange, launchTemplates.change);
export const removeTemplate = action(SavedId, launchTemplates.remove);
