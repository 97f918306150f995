import { EndRule } from "@/lib/domain/cost/allocation-view";
import { endRule } from "@/lib/services/cost/allocation-change";
import { post } from "@/lib/web/route";

export const POST = post(EndRule, endRule);
