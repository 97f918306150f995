import { StartMigration } from "@/lib/domain/alignment/view";
import { startMigration } from "@/lib/services/alignment/software";
import { post } from "@/lib/web/route";

export const POST = post(StartMigration, startMigration);
