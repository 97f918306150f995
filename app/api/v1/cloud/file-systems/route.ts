import { NewFileSystem } from "@/lib/domain/cloud/view";
import { createFileSystem } from "@/lib/services/cloud/file-systems";
import { post } from "@/lib/web/route";

export const POST = post(NewFileSystem, createFileSystem);
