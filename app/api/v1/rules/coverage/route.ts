import { z } from "zod";
import { readCoverage } from "@/lib/services/alerts/coverage";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readCoverage);
