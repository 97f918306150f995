import { WasteTableQuestion } from "@/lib/domain/cost/outlook-tables";
import { WasteQuestion } from "@/lib/domain/cost/waste";
import { exportWaste } from "@/lib/services/cost/outlook-files";
import { readWaste } from "@/lib/services/cost/waste";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(WasteQuestion, readWaste), WasteTableQuestion, exportWaste);
