"use server";

import { Rename } from "@/lib/domain/cloud/view";
import { NewNote } from "@/lib/domain/events/view";
import { LabelChange } from "@/lib/domain/fleet/labels";
import { IntentId, RequestRestart, RequestTerminate } from "@/lib/domain/intents/change";
import { ChangeProtection } from "@/lib/domain/intents/protection";
import { ExtendLease } from "@/lib/domain/policies/view";
import { renameInstance } from "@/lib/services/cloud/rename";
import { addNote } from "@/lib/services/events/note";
import { changeInstanceLabels } from "@/lib/services/fleet/labels";
import { cancelIntent, requestRestart, requestTerminate } from "@/lib/services/intents/change";
import { protectInstance, unprotectInstance } from "@/lib/services/intents/protection";
import { extendLease } from "@/lib/services/policies/lease";
import { action } from "@/lib/web/action";

export const terminate = action(RequestTerminate, requestTerminate);
export const restart = action(RequestRestart, requestRestart);
export const cancel = action(IntentId, cancelIntent);
export const rename = action(Rename, renameInstance);
export const note = action(NewNote, addNote);
export const changeLabels = action(LabelChange, changeInstanceLabels);
export const protect = action(ChangeProtection, protectInstance);
export const unprotect = action(ChangeProtection, unprotectInstance);
export const extend = action(ExtendLease, extendLease);
