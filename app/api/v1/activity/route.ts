import { ActivityQuestion } from "@/lib/domain/activity/question";
import { readActivity } from "@/lib/services/activity/read";
import { get } from "@/lib/web/route";

export const GET = get(ActivityQuestion, readActivity);
