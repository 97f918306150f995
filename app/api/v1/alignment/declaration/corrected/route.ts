import { CorrectionQuestion } from "@/lib/domain/alignment/view";
import { draftCorrection } from "@/lib/services/alignment/correct";
import { get } from "@/lib/web/route";

export const GET = get(CorrectionQuestion, draftCorrection);
