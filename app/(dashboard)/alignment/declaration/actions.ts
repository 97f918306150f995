"use server";

import { DeclarationDraft, NewDeclaration, RestoreDeclaration } from "@/lib/domain/alignment/view";
import { previewDeclaration, restoreDeclaration, saveDeclaration } from "@/lib/services/alignment/declare";
import { action } from "@/lib/web/action";

export const preview = action(DeclarationDraft, previewDeclaration);
export const save = action(NewDeclaration, saveDeclaration);
export const restore = action(RestoreDeclaration, restoreDeclaration);
