import { z } from "zod";
import { readOverview } from "@/lib/services/overview";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readOverview);
