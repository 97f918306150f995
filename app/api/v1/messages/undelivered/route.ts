import { z } from "zod";
import { readUndelivered } from "@/lib/services/notify/routes";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readUndelivered);
