import { RuleDraft } from "@/lib/domain/cost/allocation-view";
import { previewRule } from "@/lib/services/cost/allocation-change";
import { post } from "@/lib/web/route";

export const POST = post(RuleDraft, previewRule);
