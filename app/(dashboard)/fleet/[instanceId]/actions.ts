"use server";

import { NewNote } from "@/lib/domain/events/view";
import { LabelChange } from "@/lib/domain/fleet/labels";
import { RequestRestart, RequestTerminate } from "@/lib/domain/intents/change";
import { addNote } from "@/lib/services/events/note";
import { changeInstanceLabels } from "@/lib/services/fleet/labels";
import { requestRestart, requestTerminate } from "@/lib/services/intents/change";
import { action } from "@/lib/web/action";

export const terminate = action(RequestTerminate, requestTerminate);
export const restart = action(RequestRestart, requestRestart);
export const note = action(NewNote, addNote);
export const changeLabels = action(LabelChange, changeInstanceLabels);
