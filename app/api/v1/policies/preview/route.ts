import { PreviewQuestion } from "@/lib/domain/policies/view";
import { previewPolicy } from "@/lib/services/policies/preview";
import { get } from "@/lib/web/route";

export const GET = get(PreviewQuestion, previewPolicy);
