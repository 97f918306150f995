import { MonthQuestion } from "@/lib/domain/cost/close";
import { beginClosing } from "@/lib/services/cost/close";
import { post } from "@/lib/web/route";

export const POST = post(MonthQuestion, beginClosing);
