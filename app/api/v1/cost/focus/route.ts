import { FocusQuestion } from "@/lib/domain/focus/view";
import { exportFocus } from "@/lib/services/cost/focus";
import { csv } from "@/lib/web/download";

export const GET = csv(FocusQuestion, exportFocus);
