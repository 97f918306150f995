import { AllocationQuestion, Assign } from "@/lib/domain/cost/allocation-view";
import { assignResources } from "@/lib/services/cost/allocation-change";
import { exportAssignments } from "@/lib/services/cost/allocation-files";
import { readAssignments } from "@/lib/services/cost/allocation-lists";
import { get, post } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(AllocationQuestion, readAssignments), AllocationQuestion, exportAssignments);
export const POST = post(Assign, assignResources);
