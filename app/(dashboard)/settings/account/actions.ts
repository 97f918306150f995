"use server";

import { z } from "zod";
import { OwnPassword, SessionId } from "@/lib/domain/people";
import * as sessions from "@/lib/services/sessions";
import { action } from "@/lib/web/action";

export const endMySession = action(SessionId, sessions.endMySession);
export const endMyOtherSessions = action(z.object({}), sessions.endMyOtherSessions);
export const changeMyPassword = action(OwnPassword, sessions.changeMyPassword);
