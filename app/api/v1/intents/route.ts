import { z } from "zod";
import { readIntents } from "@/lib/services/intents/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readIntents);
