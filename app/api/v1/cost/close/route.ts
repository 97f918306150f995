import { MonthQuestion } from "@/lib/domain/cost/close";
import { CloseTableQuestion } from "@/lib/domain/cost/month-tables";
import { closeMonth, readClose } from "@/lib/services/cost/close";
import { exportClose } from "@/lib/services/cost/month-files";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(MonthQuestion, readClose), CloseTableQuestion, exportClose);
export const POST = post(MonthQuestion, closeMonth);
