import { NewDeclaration, VersionQuestion } from "@/lib/domain/alignment/view";
import { readDeclarations, saveDeclaration } from "@/lib/services/alignment/declare";
import { get, post } from "@/lib/web/route";

export const GET = get(VersionQuestion, readDeclarations);
export const POST = post(NewDeclaration, saveDeclaration);
