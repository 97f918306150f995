import { z } from "zod";
import { exportRuleFile } from "@/lib/services/alerts/rule-file";
import { csv } from "@/lib/web/download";

export const GET = csv(z.object({}), exportRuleFile, "application/yaml; charset=utf-8");
