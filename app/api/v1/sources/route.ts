import { z } from "zod";
import { readSources } from "@/lib/services/sources";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readSources);
