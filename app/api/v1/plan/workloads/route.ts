import { z } from "zod";
import { readWorkloads } from "@/lib/services/plan/workloads";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readWorkloads);
