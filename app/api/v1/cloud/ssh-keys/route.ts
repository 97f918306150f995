import { NewSshKey } from "@/lib/domain/cloud/view";
import { addSshKey } from "@/lib/services/cloud/ssh-keys";
import { post } from "@/lib/web/route";

export const POST = post(NewSshKey, addSshKey);
