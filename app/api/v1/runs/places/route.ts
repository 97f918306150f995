import { z } from "zod";
import { readRunPlaces } from "@/lib/services/workload/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readRunPlaces);
