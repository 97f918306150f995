import { z } from "zod";
import { ROLES, type Role } from "@/lib/domain/access";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/** Whether an address can only be reached from this machine. */
export function isLoopback(url: string): boolean {
  return LOOPBACK.test(new URL(url).hostname);
}

const flag = z
  .enum(["0", "1"], { error: "must be 0 or 1" })
  .default("0")
  .transform((value) => value === "1");
const flagOn = z
  .enum(["0", "1"], { error: "must be 0 or 1" })
  .default("1")
  .transform((value) => value === "1");
const list = z
  .string()
  .default("")
  .transform((text) =>
    text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
  );
const roleNamed = (name: string): Role | undefined => ROLES.find((role) => role === name.trim().replace("-", "_"));
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
  OUTBOUND_PRIVATE_CIDRS: list.refine(
    (cidrs) => cidrs.every((cidr) => /^[0-9a-fA-F:.]+\/\d{1,3}$/.test(cidr)),
    "must be networks like 10.1.0.0/16, with commas between them",
  ),
  BACKUP_KEEP_DAYS: z.coerce
    .number({ error: "must be a number of days from 0 to 365" })
    .int()
    .min(0)
    .max(365)
    .default(14),
  PASSWORD_SIGN_IN: flagOn,
  OIDC_ISSUER: httpUrl
    .refine((url) => url.startsWith("https:") || isLoopback(url), "must be an https address")
    .transform(noSlash)
    .optional(),
  OIDC_CLIENT_ID: z.string().min(1).optional(),
  OIDC_CLIENT_SECRET: z.string().min(1).optional(),
  OIDC_NAME: z.string().min(1).max(40).default("single sign-on"),
  OIDC_SCOPES: z.string().min(1).default("openid email profile"),
  OIDC_SIGNING: z
    .enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"])
    .default("RS256"),
  OIDC_GROUP_CLAIM: z.string().min(1).default("groups"),
  OIDC_ROLES: list.transform((pairs, issues) =>
    pairs.map((pair): readonly [string, Role] => {
      const at = pair.lastIndexOf("=");
      const role = roleNamed(pair.slice(at + 1));
      if (at > 0 && role) return [pair.slice(0, at).trim(), role];
      issues.addIssue({ code: "custom", message: `must be pairs like gpu-admins=admin; “${pair}” is none` });
      return z.NEVER;
    }),
  ),
  OIDC_DEFAULT_ROLE: z
    .string()
    .default("none")
    .transform((name, issues): Role | null => {
      if (name === "none") return null;
      const role = roleNamed(name);
      if (role) return role;
      issues.addIssue({ code: "custom", message: `must be none or one of ${ROLES.join(", ")}` });
      return z.NEVER;
    }),
  OIDC_EMAIL_DOMAINS: list.transform((domains) => domains.map((domain) => domain.toLowerCase().replace(/^@/, ""))),
  OIDC_EMAIL_TRUSTED: flag,
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
  const say = (name: string, message: string) => issues.addIssue({ code: "custom", path: [name], message });
  if (e.OIDC_ISSUER && !e.OIDC_CLIENT_ID) say("OIDC_CLIENT_ID", "must be set where OIDC_ISSUER is");
  if (!e.OIDC_ISSUER && !e.PASSWORD_SIGN_IN) say("PASSWORD_SIGN_IN", "can be 0 only where OIDC_ISSUER is set");
  if (e.OIDC_ISSUER && !e.PASSWORD_SIGN_IN && !e.OIDC_ROLES.some(([, role]) => role === "admin"))
    say("OIDC_ROLES", "must name a group of admins where PASSWORD_SIGN_IN is 0, or nobody could run this");
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
    hasPasswordSignIn: e.PASSWORD_SIGN_IN,
    /** Who else says who people are; null: nobody. */
    oidc:
      e.OIDC_ISSUER && e.OIDC_CLIENT_ID
        ? {
            issuer: e.OIDC_ISSUER,
            clientId: e.OIDC_CLIENT_ID,
            clientSecret: e.OIDC_CLIENT_SECRET ?? null,
            name: e.OIDC_NAME,
            scopes: e.OIDC_SCOPES,
            signing: e.OIDC_SIGNING,
            groupClaim: e.OIDC_GROUP_CLAIM,
            roles: e.OIDC_ROLES,
            defaultRole: e.OIDC_DEFAULT_ROLE,
            emailDomains: e.OIDC_EMAIL_DOMAINS,
            isEmailTrusted: e.OIDC_EMAIL_TRUSTED,
          }
        : null,
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

/** For tests, which change it between files: the next look reads and checks it again. */
export function forgetEnv(): void {
  read = undefined;
}

/** What a running process cannot do without; `npm start` provides it. */
export function required(name: "databaseUrl" | "authSecret" | "secretsKey"): string {
  const value = env[name];
  if (value === null) {
    const variable = { databaseUrl: "DATABASE_URL", authSecret: "AUTH_SECRET", secretsKey: "SECRETS_KEY" }[name];
    throw new EnvError(`${variable} is not set; npm start sets it.`);
  }
  return value;
}
