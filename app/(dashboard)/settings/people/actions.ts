"use server";

import { NewInvite, NewPassword, PersonChange, UserId } from "@/lib/domain/people";
import { SessionChange } from "@/lib/domain/settings";
import { TokenId } from "@/lib/domain/tokens";
import * as credentials from "@/lib/services/credentials";
import * as people from "@/lib/services/people";
import * as settings from "@/lib/services/settings";
import { action } from "@/lib/web/action";

export const invite = action(NewInvite, people.invite);
export const revokeToken = action(TokenId, credentials.revokeToken);
export const changePerson = action(PersonChange, people.changePerson);
export const setPassword = action(NewPassword, people.setPassword);
export const signOutEverywhere = action(UserId, people.signOutEverywhere);
export const changeSessionLimits = action(SessionChange, settings.changeSessionLimits);
