"use server";

import { RetentionChange } from "@/lib/domain/settings";
import * as settings from "@/lib/services/settings";
import { action } from "@/lib/web/action";

export const changeRetention = action(RetentionChange, settings.changeRetention);
