"use server";

import { z } from "zod";
import { checkWholeChain } from "@/lib/services/activity/chain";
import { action } from "@/lib/web/action";

export const checkChain = action(z.object({}), checkWholeChain);
