import { EndMigration } from "@/lib/domain/alignment/view";
import { endMigration } from "@/lib/services/alignment/software";
import { post } from "@/lib/web/route";

export const POST = post(EndMigration, endMigration);
