import { z } from "zod";
import { countFindings } from "@/lib/services/alignment/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), countFindings);
