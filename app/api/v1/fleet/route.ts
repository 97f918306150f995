import { z } from "zod";
import { FleetTableQuestion } from "@/lib/domain/fleet/table";
import { readFleet } from "@/lib/services/fleet/read";
import { exportFleet } from "@/lib/services/tables";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(z.object({}), readFleet), FleetTableQuestion, exportFleet);
