import { z } from "zod";
import { exportReport } from "@/lib/services/alignment/report";
import { csv } from "@/lib/web/download";

export const GET = csv(z.object({}), exportReport, "text/markdown; charset=utf-8");
