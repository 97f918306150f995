import { MonthQuestion } from "@/lib/domain/cost/close";
import { closeMonth, readClose } from "@/lib/services/cost/close";
import { get, post } from "@/lib/web/route";

export const GET = get(MonthQuestion, readClose);
export const POST = post(MonthQuestion, closeMonth);
