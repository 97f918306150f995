import { z } from "zod";
import { RuleDraft } from "@/lib/domain/cost/allocation-view";
import { createRule } from "@/lib/services/cost/allocation-change";
import { exportRules } from "@/lib/services/cost/allocation-files";
import { readRules } from "@/lib/services/cost/allocation-lists";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(z.object({}), readRules), z.object({}), exportRules);
export const POST = post(RuleDraft, createRule);
