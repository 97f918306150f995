import { TargetsText } from "@/lib/domain/plan/mix";
import { setTargets } from "@/lib/services/plan/mix";
import { post } from "@/lib/web/route";

export const POST = post(TargetsText, setTargets);
