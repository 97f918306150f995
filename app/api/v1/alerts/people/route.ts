import { z } from "zod";
import { readAssignable } from "@/lib/services/alerts/assign";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readAssignable);
