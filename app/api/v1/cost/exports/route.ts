import { ExportsQuestion } from "@/lib/domain/cost/exports-view";
import { readExports } from "@/lib/services/cost/exports";
import { get } from "@/lib/web/route";

export const GET = get(ExportsQuestion, readExports);
