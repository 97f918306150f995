import { AllocationQuestion, AllocationTableQuestion } from "@/lib/domain/cost/allocation-view";
import { readAllocationMonth } from "@/lib/services/cost/allocation";
import { exportAllocation } from "@/lib/services/cost/allocation-files";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(AllocationQuestion, readAllocationMonth), AllocationTableQuestion, exportAllocation);
