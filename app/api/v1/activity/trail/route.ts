import { z } from "zod";
import { exportTrail } from "@/lib/services/activity/export";
import { csv } from "@/lib/web/download";

export const GET = csv(z.object({}), exportTrail, "application/x-ndjson; charset=utf-8");
