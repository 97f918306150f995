import { z } from "zod";
import { countApprovals } from "@/lib/services/intents/approvals";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), countApprovals);
