import { z } from "zod";
import { readTokens } from "@/lib/services/credentials";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readTokens);
