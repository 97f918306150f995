import { DeclarationDraft } from "@/lib/domain/alignment/view";
import { previewDeclaration } from "@/lib/services/alignment/declare";
import { post } from "@/lib/web/route";

export const POST = post(DeclarationDraft, previewDeclaration);
