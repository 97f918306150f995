import { RulePreviewQuestion } from "@/lib/domain/alerts/rule-view";
import { readRulePreview } from "@/lib/services/alerts/rule-reads";
import { get } from "@/lib/web/route";

export const GET = get(RulePreviewQuestion, readRulePreview);
