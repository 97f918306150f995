import { FirewallChange } from "@/lib/domain/cloud/firewall";
import {
  type CloudAnswer,
  type FirewallAnswer,
  NewFileSystem,
  NewSshKey,
  RemoveFileSystem,
  Rename,
  SshKeyId,
} from "@/lib/domain/cloud/view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes by which what stands beside the machines is seen and changed at Lambda. */
export const CLOUD_DOORS: readonly ApiDoor[] = [
  read("/api/v1/cloud", "SSH keys and file systems of the account, with what uses them and what they cost.", {
    answer: shape<CloudAnswer>({
      now: "number",
      sshKeys: "array",
      fileSystems: "array",
      regions: "array",
      readAt: "object",
    }),
  }),
  act("/api/v1/cloud/ssh-keys", "Puts a public key into the account; the same key twice is one.", "cloud:write", {
    NewSshKey,
  }),
  act("/api/v1/cloud/ssh-keys/{keyId}/remove", "Takes a key out of the account.", "cloud:write", { SshKeyId }),
  act("/api/v1/cloud/file-systems", "Makes a file system; one of that name and region is there once.", "cloud:write", {
    NewFileSystem,
  }),
  act(
    "/api/v1/cloud/file-systems/{fileSystemId}/remove",
    "Deletes a file system and all that is in it.",
    "cloud:write",
    {
      RemoveFileSystem,
    },
  ),
  read("/api/v1/cloud/firewall", "What may come in, asked of Lambda at this moment.", {
    answer: shape<FirewallAnswer>({ now: "number", rulesets: "array", problem: "string?" }),
  }),
  act(
    "/api/v1/cloud/firewall/{rulesetId}",
    "Replaces the rules of a ruleset, where they are as they were seen.",
    "cloud:write",
    { FirewallChange },
  ),
  act("/api/v1/fleet/{instanceId}/rename", "Gives a machine another name.", "cloud:write", { Rename }),
];
