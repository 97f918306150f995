import { z } from "zod";
import { readFleet } from "@/lib/services/fleet/read";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readFleet);
