"use server";

import { FirewallChange } from "@/lib/domain/cloud/firewall";
import { NewFileSystem, NewSshKey, RemoveFileSystem, SshKeyId } from "@/lib/domain/cloud/view";
import { createFileSystem, deleteFileSystem } from "@/lib/services/cloud/file-systems";
import { changeFirewall } from "@/lib/services/cloud/firewall";
import { addSshKey, removeSshKey } from "@/lib/services/cloud/ssh-keys";
import { action } from "@/lib/web/action";

export const addKey = action(NewSshKey, addSshKey);
export const removeKey = action(SshKeyId, removeSshKey);
export const makeFileSystem = action(NewFileSystem, createFileSystem);
export const removeFileSystem = action(RemoveFileSystem, deleteFileSystem);
export const changeRules = action(FirewallChange, changeFirewall);
