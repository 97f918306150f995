"use server";

import { NewLaunch } from "@/lib/domain/intents/launch";
import { requestLaunch } from "@/lib/services/intents/launch";
import { action } from "@/lib/web/action";

export const launch = action(NewLaunch, requestLaunch);
