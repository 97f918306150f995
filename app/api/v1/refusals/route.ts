import { z } from "zod";
import { readRefusals } from "@/lib/services/telemetry/quality";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readRefusals);
