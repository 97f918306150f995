import { z } from "zod";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Whether an address can only be reached from this machine. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

const flag = z
  .enum(["0", "1"], { error: "must be 0 or 1" })
  .default("0")
  .transform((value) => value === "1");
const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" });
const noSlash = (url: string) => url.replace(/\/+$/, "");

/** Everything that people may set, with its default. The README's table is this list. */
const settings = {
  PORT: z.coerce.number({ error: "must be a number from 1 to 65535" }).int().min(1).max(65535).default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  PUBLIC_URL: httpUrl.transform(noSlash).optional(),
  TRUST_PROXY: flag,
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgresql:// address" }).optional(),
  DATA_DIR: z.string().min(1).default(".data"),
  LAMBDA_API_KEY: z.string().min(1).optional(),
  LAMBDA_API_KEY_MUTATE: z.string().min(1).optional(),
  LAMBDA_API_URL: httpUrl.transform(noSlash).default("https://cloud.lambda.ai/api/v1"),
  DEMO_DAYS: z.coerce.number({ error: "must be a number of days from 1 to 120" }).int().min(1).max(120).default(45),
  AUTH_SECRET: z.string().min(32, "must be at least 32 characters").optional(),
  SECRETS_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "must be 64 hexadecimal digits")
    .optional(),
  OUTBOUND_PRIVATE_CIDRS: z
    .string()
    .default("")
    .transform((list) =>
      list
        .split(",")
        .map((cidr) => cidr.trim())
        .filter((cidr) => cidr !== ""),
    )
    .refine(
      (list) => list.every((cidr) => /^[0-9a-fA-F:.]+\/\d{1,3}$/.test(cidr)),
      "must be networks like 10.1.0.0/16, with commas between them",
    ),
  BACKUP_KEEP_DAYS: z.coerce
    .number({ error: "must be a number of days from 0 to 365" })
    .int()
    .min(0)
    .max(365)
    .default(14),
  TEST_CLOCK: flag,
  SHARED_DIR: z.string().min(1).default("../shared"),
  /** Handed down by `npm start`: which fleet this is, and where the demo's cloud is steered. */
  HOPPERDECK_MODE: z.enum(["demo", "real"]).optional(),
  SIMULATOR_ADMIN_URL: httpUrl.optional(),
};

const schema = z.object(settings).transform((e, issues) => {
  const publicUrl = e.PUBLIC_URL ?? `http://localhost:${e.PORT}`;
  if (e.TEST_CLOCK && !isLoopback(e.LAMBDA_API_URL)) {
    issues.addIssue({
      code: "custom",
      path: ["TEST_CLOCK"],
      message: "is refused unless LAMBDA_API_URL is a loopback address",
    });
  }
  return {
    port: e.PORT,
    host: e.HOST,
    publicUrl,
    trustProxy: e.TRUST_PROXY,
    databaseUrl: e.DATABASE_URL ?? null,
    dataDir: e.DATA_DIR,
    lambdaApiKey: e.LAMBDA_API_KEY ?? null,
    lambdaApiKeyMutate: e.LAMBDA_API_KEY_MUTATE ?? null,
    lambdaApiUrl: e.LAMBDA_API_URL,
    demoDays: e.DEMO_DAYS,
    authSecret: e.AUTH_SECRET ?? null,
    secretsKey: e.SECRETS_KEY ?? null,
    outboundPrivateCidrs: e.OUTBOUND_PRIVATE_CIDRS,
    backupKeepDays: e.BACKUP_KEEP_DAYS,
    testClock: e.TEST_CLOCK,
    sharedDir: e.SHARED_DIR,
    mode: e.HOPPERDECK_MODE ?? (e.LAMBDA_API_KEY ? ("real" as const) : ("demo" as const)),
    simulatorAdminUrl: e.SIMULATOR_ADMIN_URL ?? null,
  };
});

export type Env = z.output<typeof schema>;
export type Mode = Env["mode"];

export class EnvError extends Error {}

/** Reads and checks the environment; wrong values are named in one sentence. Empty strings count as not set. */
export function readEnv(source: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.keys(settings).map((name) => [name, source[name] === "" ? undefined : source[name]]),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new EnvError(`${result.error.issues.map((i) => `${String(i.path[0])} ${i.message}`).join("; ")}.`);
}

let read: Env | undefined;

/** The process's environment, read and checked once, at the first look. */
export const env = new Proxy({} as Env, {
  get(_, name: keyof Env) {
    read ??= readEnv(process.env);
    return read[name];
  },
});

/** What a running process cannot do without; `npm start` provides it. */
export function required(name: "databaseUrl" | "authSecret" | "secretsKey"): string {
  const value = env[name];
  if (value === null) {
    const variable = { databaseUrl: "DATABASE_URL", authSecret: "AUTH_SECRET", secretsKey: "SECRETS_KEY" }[name];
    throw new EnvError(`${variable} is not set; npm start sets it.`);
  }
  return value;
}
