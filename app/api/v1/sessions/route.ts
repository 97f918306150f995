import { z } from "zod";
import { readMySessions } from "@/lib/services/sessions";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readMySessions);
