import { ActivityQuestion } from "@/lib/domain/activity/question";
import { exportActivity, readActivity } from "@/lib/services/activity/read";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(ActivityQuestion, readActivity), ActivityQuestion, exportActivity);
