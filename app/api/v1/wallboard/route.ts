import { z } from "zod";
import { readWallboard } from "@/lib/services/wallboard";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readWallboard);
