import { z } from "zod";
import { readQueue } from "@/lib/services/intents/queue";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readQueue);
