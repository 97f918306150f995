import { Rename } from "@/lib/domain/cloud/view";
import { renameInstance } from "@/lib/services/cloud/rename";
import { post } from "@/lib/web/route";

export const POST = post(Rename, renameInstance);
