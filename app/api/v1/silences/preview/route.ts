import { SilencePreviewQuestion } from "@/lib/domain/silences/view";
import { previewSilence } from "@/lib/services/silences/read";
import { get } from "@/lib/web/route";

export const GET = get(SilencePreviewQuestion, previewSilence);
