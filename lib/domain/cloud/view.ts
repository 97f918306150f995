import { z } from "zod";
import { labelProblem } from "@/lib/domain/intents/names";
import type { FirewallRule } from "./firewall";

const PUBLIC_KEY =
  /^(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com) [A-Za-z0-9+/]{40,}={0,3}( .*)?$/;

/** A public key as OpenSSH writes one. A private key is refused before it goes anywhere. */
export const NewSshKey = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Give the key a name")
    .max(64, "is longer than 64 characters")
    .regex(/^[\x20-\x7e]+$/, "Use plain letters"),
  publicKey: z
    .string()
    .trim()
    .max(4_096, "is longer than 4,096 characters")
    .refine((text) => !text.includes("PRIVATE KEY"), "This is a private key. Keep it, and paste the public one (.pub)")
    .refine((text) => PUBLIC_KEY.test(text), "is not a public key such as ssh-ed25519 AAAA… name"),
});
export type NewSshKey = z.output<typeof NewSshKey>;

export const SshKeyId = z.object({ keyId: z.string().regex(/^[0-9a-f]{32}$/, "is not the id of a key") });
export type SshKeyId = z.output<typeof SshKeyId>;

/** Lambda's own rule for names of file systems. */
export const NewFileSystem = z.object({
  name: z
    .string()
    .trim()
    .min(1, "Give it a name")
    .max(60, "is longer than 60 characters")
    .regex(/^[a-zA-Z]+[0-9a-zA-Z-]*$/, "Use letters, digits and dashes, beginning with a letter"),
  region: z.string().min(1, "Choose a region").max(64),
});
export type NewFileSystem = z.output<typeof NewFileSystem>;

export const RemoveFileSystem = z.object({
  fileSystemId: z.uuid(),
  /** Its name, typed. */
  typed: z.string().max(100),
});
export type RemoveFileSystem = z.output<typeof RemoveFileSystem>;

export const Rename = z.object({
  instanceId: z.uuid(),
  name: z
    .string()
    .trim()
    .superRefine((name, issues) => {
      const message = labelProblem(name);
      if (message !== null) issues.addIssue({ code: "custom", message });
    }),
});
export type Rename = z.output<typeof Rename>;

export type SshKeyRow = { id: string; name: string; since: number; usedBy: string[] };

export type FileSystemRow = {
  id: string;
  name: string;
  region: string;
  /** Null: Lambda has not said. */
  bytesUsed: number | null;
  isAttached: boolean | null;
  usedBy: string[];
  /** What keeping it costs in 730 h at its size of now; null: no price is known. */
  monthMicros: string | null;
};

export type RulesetRow = {
  id: string;
  name: string;
  /** Null: everywhere. */
  region: string | null;
  rules: FirewallRule[];
  machines: number | null;
};

export type CloudAnswer = {
  now: number;
  sshKeys: SshKeyRow[];
  fileSystems: FileSystemRow[];
  regions: { name: string; description: string }[];
  /** When keys and file systems were last read. */
  readAt: { sshKeys: number | null; fileSystems: number | null };
};

/** Read from Lambda at each look: rules are not kept here. */
export type FirewallAnswer = { now: number; rulesets: RulesetRow[]; problem: string | null };
