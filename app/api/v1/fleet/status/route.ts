import { z } from "zod";
import { readFleetStatus } from "@/lib/services/fleet/status";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readFleetStatus);
