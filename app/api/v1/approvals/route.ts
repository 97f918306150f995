import { z } from "zod";
import { readApprovals } from "@/lib/services/intents/approvals";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readApprovals);
