import { ActivityQuestion } from "@/lib/domain/activity/view";
import { readActivity } from "@/lib/services/activity/read";
import { get } from "@/lib/web/route";

export const GET = get(ActivityQuestion, readActivity);
