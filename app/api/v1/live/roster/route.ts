import { z } from "zod";
import { readRoster } from "@/lib/services/telemetry/live";
import { getPacked } from "@/lib/web/packed";

export const GET = getPacked(z.object({}), readRoster);
