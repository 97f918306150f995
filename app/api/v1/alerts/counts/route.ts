import { z } from "zod";
import { readAlertCounts } from "@/lib/services/alerts/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readAlertCounts);
