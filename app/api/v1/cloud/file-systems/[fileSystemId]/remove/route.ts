import { RemoveFileSystem } from "@/lib/domain/cloud/view";
import { deleteFileSystem } from "@/lib/services/cloud/file-systems";
import { post } from "@/lib/web/route";

export const POST = post(RemoveFileSystem, deleteFileSystem);
