import { z } from "zod";
import { readConnection } from "@/lib/services/settings";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readConnection);
