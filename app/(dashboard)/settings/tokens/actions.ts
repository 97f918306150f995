"use server";

import { NewToken, TokenId } from "@/lib/domain/tokens";
import * as credentials from "@/lib/services/credentials";
import { action } from "@/lib/web/action";

export const createToken = action(NewToken, credentials.createToken);
export const revokeToken = action(TokenId, credentials.revokeToken);
