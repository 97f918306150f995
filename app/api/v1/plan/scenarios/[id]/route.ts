import { SavedId } from "@/lib/domain/saved";
import { readScenario } from "@/lib/services/plan/scenarios";
import { get } from "@/lib/web/route";

export const GET = get(SavedId, readScenario);
