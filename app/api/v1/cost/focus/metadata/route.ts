import { FocusQuestion } from "@/lib/domain/focus/view";
import { readFocusMetadata } from "@/lib/services/cost/focus";
import { get } from "@/lib/web/route";

export const GET = get(FocusQuestion, readFocusMetadata);
