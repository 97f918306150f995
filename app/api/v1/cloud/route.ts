import { z } from "zod";
import { readCloud } from "@/lib/services/cloud/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readCloud);
