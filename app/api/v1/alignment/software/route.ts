import { z } from "zod";
import { readSoftware } from "@/lib/services/alignment/software";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readSoftware);
