import { z } from "zod";
import { MetricMapping } from "./telemetry/metric-mapping";
import { cleanName } from "./text";

export const CREDENTIAL_KINDS = ["none", "bearer", "basic"] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

const Name = z
  .string()
  .transform((name) => cleanName(name, 100))
  .refine((name) => name !== "", "Give the target a name");
const Url = z.string().trim().min(1, "Give the address of the page").max(2_000, "is too long");
const EverySeconds = z.coerce
  .number("is no number")
  .int("must be whole seconds")
  .min(5, "must be 5 to 3600 seconds")
  .max(3_600, "must be 5 to 3600 seconds");
/** Empty where the labels of the page say it, or nobody knows yet. */
const InstanceId = z.union([z.literal("").transform(() => null), z.uuid("Choose an instance"), z.null()]);
const Secret = z.string().max(4_000, "is too long");

/** A list, or its JSON where it was typed. What is wrong with it is told of the whole, by its place. */
const Mapping = z.unknown().transform((given, issues): MetricMapping => {
  const isTyped = typeof given === "string";
  if (isTyped && given.trim() === "") return [];
  const read = MetricMapping.safeParse(isTyped ? jsonOrNull(given) : given);
  if (read.success) return read.data;
  const [first] = read.error.issues;
  const [at, field] = first?.path ?? [];
  const place = typeof at === "number" ? `entry ${at + 1}${field === undefined ? "" : `, ${String(field)}`}: ` : "";
  issues.addIssue({ code: "custom", message: `${place}${first?.message ?? ""}` });
  return z.NEVER;
});

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isBasic = ({ credential, secret }: { credential?: CredentialKind | undefined; secret?: string | undefined }) =>
  credential !== "basic" || !secret || secret.includes(":");
const BASIC = { path: ["secret"], error: "must be name:password" };

export const NewTarget = z
  .object({
    name: Name,
    url: Url,
    everySeconds: EverySeconds.default(15),
    instanceId: InstanceId.default(null),
    credential: z.enum(CREDENTIAL_KINDS).default("none"),
    secret: Secret.default(""),
    mapping: Mapping.default([]),
  })
  .refine(({ credential, secret }) => credential === "none" || secret !== "", {
    path: ["secret"],
    error: "Give what is to be sent",
  })
  .refine(isBasic, BASIC);
export type NewTarget = z.output<typeof NewTarget>;

/** What is left out stays as it is; so does the credential where its field is empty. */
export const TargetChange = z
  .object({
    targetId: z.uuid(),
    name: Name.optional(),
    url: Url.optional(),
    everySeconds: EverySeconds.optional(),
    instanceId: InstanceId.optional(),
    credential: z.enum(CREDENTIAL_KINDS).optional(),
    secret: Secret.optional(),
    mapping: Mapping.optional(),
    isEnabled: z.stringbool().or(z.boolean()).optional(),
  })
  .refine(isBasic, BASIC);
export type TargetChange = z.output<typeof TargetChange>;

export const TargetId = z.object({ targetId: z.uuid() });
export type TargetId = z.output<typeof TargetId>;

/** What stands in the secret of a target: what is sent, and how. */
export type TargetCredential = { kind: Exclude<CredentialKind, "none">; secret: string };

export type TargetRow = {
  id: string;
  name: string;
  url: string;
  everySeconds: number;
  isEnabled: boolean;
  instanceId: string | null;
  instanceName: string | null;
  credential: CredentialKind;
  /** The credential was kept with another key, and must be entered again. */
  isUnreadable: boolean;
  mapping: MetricMapping;
  /** When it was last asked. */
  fetchedAt: number | null;
  /** When it last gave a page that could be read; null: never. */
  receivedAt: number | null;
  error: string | null;
  gpus: number;
};

export type TargetsAnswer = {
  now: number;
  targets: TargetRow[];
  /** Instances to which a target may belong. */
  instances: { id: string; name: string }[];
};

/** What a page holds that was fetched to see whether it works; nothing of it is stored. */
export type TargetTest = { gpus: number; otherMetrics: number; ignored: number; problem: string | null };

/** What a test found, in words. */
export function testWords({ gpus, otherMetrics, ignored, problem }: TargetTest): string {
  if (problem !== null) return problem;
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const parts = [count(gpus, "GPU"), otherMetrics > 0 ? count(otherMetrics, "workload value") : null];
  const found = parts.filter((part) => part !== null).join(" and ");
  return `The page holds ${found}; ${count(ignored, "other sample")} left out.`;
}
