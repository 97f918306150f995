import { WhyQuestion } from "@/lib/domain/cost/why-view";
import { readWhy } from "@/lib/services/cost/why";
import { get } from "@/lib/web/route";

export const GET = get(WhyQuestion, readWhy);
