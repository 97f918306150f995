import { EvidenceQuestion } from "@/lib/domain/intents/view";
import { readChangeEvidence } from "@/lib/services/intents/evidence";
import { get } from "@/lib/web/route";

export const GET = get(EvidenceQuestion, readChangeEvidence);
