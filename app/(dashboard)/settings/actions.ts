"use server";

import { SenderAssignment, SenderDismissal } from "@/lib/domain/sources";
import { NewToken } from "@/lib/domain/tokens";
import * as credentials from "@/lib/services/credentials";
import * as sources from "@/lib/services/sources";
import { action } from "@/lib/web/action";

export const createToken = action(NewToken, credentials.createToken);
export const assignSender = action(SenderAssignment, sources.assignSender);
export const dismissSender = action(SenderDismissal, sources.dismissSender);
