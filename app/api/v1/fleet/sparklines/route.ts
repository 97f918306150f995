import { z } from "zod";
import { readSparklines } from "@/lib/services/fleet/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readSparklines);
