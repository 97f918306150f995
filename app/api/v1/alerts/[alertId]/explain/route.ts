import { ExplainQuestion } from "@/lib/domain/alerts/explain";
import { explainAlert } from "@/lib/services/alerts/explain";
import { get } from "@/lib/web/route";

export const GET = get(ExplainQuestion, explainAlert);
