import { z } from "zod";
import { draftOfNow } from "@/lib/services/alignment/declare";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), draftOfNow);
