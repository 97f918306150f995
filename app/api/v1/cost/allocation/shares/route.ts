import { SharesQuestion } from "@/lib/domain/cost/allocation-view";
import { readShares } from "@/lib/services/cost/allocation";
import { exportShares } from "@/lib/services/cost/allocation-files";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(SharesQuestion, readShares), SharesQuestion, exportShares);
