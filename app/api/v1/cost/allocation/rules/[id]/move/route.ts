import { MoveRule } from "@/lib/domain/cost/allocation-view";
import { moveRule } from "@/lib/services/cost/allocation-change";
import { post } from "@/lib/web/route";

export const POST = post(MoveRule, moveRule);
