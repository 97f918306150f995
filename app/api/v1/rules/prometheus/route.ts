import { z } from "zod";
import { exportPrometheusFile } from "@/lib/services/alerts/rule-file";
import { csv } from "@/lib/web/download";

export const GET = csv(z.object({}), exportPrometheusFile, "application/yaml; charset=utf-8");
