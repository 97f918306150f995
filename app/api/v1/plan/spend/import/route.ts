import { SpendFile } from "@/lib/domain/plan/mix";
import { importSpend } from "@/lib/services/plan/mix";
import { post } from "@/lib/web/route";

export const POST = post(SpendFile, importSpend);
