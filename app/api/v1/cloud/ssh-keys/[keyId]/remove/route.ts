import { SshKeyId } from "@/lib/domain/cloud/view";
import { removeSshKey } from "@/lib/services/cloud/ssh-keys";
import { post } from "@/lib/web/route";

export const POST = post(SshKeyId, removeSshKey);
