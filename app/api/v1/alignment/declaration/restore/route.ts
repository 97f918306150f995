import { RestoreDeclaration } from "@/lib/domain/alignment/view";
import { restoreDeclaration } from "@/lib/services/alignment/declare";
import { post } from "@/lib/web/route";

export const POST = post(RestoreDeclaration, restoreDeclaration);
