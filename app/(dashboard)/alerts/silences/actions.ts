"use server";

import { NewSilence } from "@/lib/domain/silences/silence";
import { SilenceId } from "@/lib/domain/silences/view";
import { createSilence, endSilenceNow } from "@/lib/services/silences/silences";
import { action } from "@/lib/web/action";

export const create = action(NewSilence, createSilence);
export const end = action(SilenceId, endSilenceNow);
