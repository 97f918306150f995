import { WhyTableQuestion } from "@/lib/domain/cost/month-tables";
import { WhyQuestion } from "@/lib/domain/cost/why-view";
import { exportWhy } from "@/lib/services/cost/month-files";
import { readWhy } from "@/lib/services/cost/why";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(WhyQuestion, readWhy), WhyTableQuestion, exportWhy);
