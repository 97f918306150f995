import { z } from "zod";
import { InboxTableQuestion } from "@/lib/domain/alerts/table";
import { readInbox } from "@/lib/services/alerts/read";
import { exportInbox } from "@/lib/services/tables";
import { get } from "@/lib/web/route";
import { orTable } from "@/lib/web/table-file";

export const GET = orTable(get(z.object({}), readInbox), InboxTableQuestion, exportInbox);
