"use server";

import { SenderAssignment, SenderDismissal } from "@/lib/domain/sources";
import { NewTarget, TargetChange, TargetId } from "@/lib/domain/targets";
import { NewToken } from "@/lib/domain/tokens";
import * as credentials from "@/lib/services/credentials";
import * as sources from "@/lib/services/sources";
import * as targets from "@/lib/services/telemetry/targets";
import { action } from "@/lib/web/action";

export const createToken = action(NewToken, credentials.createToken);
export const assignSender = action(SenderAssignment, sources.assignSender);
export const dismissSender = action(SenderDismissal, sources.dismissSender);
export const createTarget = action(NewTarget, targets.createTarget);
export const changeTarget = action(TargetChange, targets.changeTarget);
export const turnTarget = action(TargetChange, targets.changeTarget);
export const removeTarget = action(TargetId, targets.removeTarget);
export const testTarget = action(TargetId, targets.testTarget);
