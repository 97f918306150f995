import { z } from "zod";
import { countUndelivered } from "@/lib/services/notify/routes";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), countUndelivered);
