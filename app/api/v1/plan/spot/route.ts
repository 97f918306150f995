import { SpotQuestion } from "@/lib/domain/plan/spot-view";
import { readSpot } from "@/lib/services/plan/spot";
import { get } from "@/lib/web/route";

export const GET = get(SpotQuestion, readSpot);
