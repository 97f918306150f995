import { Agent, request } from "undici";
import { z } from "zod";
import {
  AuditEvent,
  ErrorBody,
  Filesystem,
  GlobalRuleset,
  Image,
  Instance,
  type InstanceType,
  InstanceTypes,
  instanceTypeRows,
  RegionRow,
  type RuleBody,
  Ruleset,
  SshKey,
} from "./contract";
import { LambdaError, networkError } from "./errors";

/** What a call costs in the rate limit: one request a second in all, and a launch every 12 s. */
export type CallKind = "read" | "write" | "launch";

export type LambdaClientOptions = {
  baseUrl: string;
  key: string;
  /** Resolves when the call may go; shared by all processes, so it is handed in. */
  acquire: (kind: CallKind) => Promise<void>;
};

export type Launch = {
  regionName: string;
  typeName: string;
  sshKeyName: string;
  name: string;
  imageFamily: string | null;
  fileSystemNames: string[];
  tags: Record<string, string>;
  userData: string;
};

const READ_DEADLINE_MS = 30_000;
const WRITE_DEADLINE_MS = 60_000;
const BODY_LIMIT_BYTES = 10 * 1024 * 1024;
const PAGES_AT_MOST = 20;

// Mutations never share a connection: on a reused one, a reset could not be told from a request that was never read.
const reading = new Agent({ connections: 2, keepAliveTimeout: 10_000 });
const writing = new Agent({ connections: 4, pipelining: 0 });

/** Lambda Cloud's API, as far as we use it. Every failure is a LambdaError; nothing is retried here. */
export function lambdaClient({ baseUrl, key, acquire }: LambdaClientOptions) {
  async function call<T>(
    kind: CallKind,
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    schema: z.ZodType<T>,
    body?: object,
  ): Promise<T> {
    await acquire(kind);
    const deadlineMs = kind === "read" ? READ_DEADLINE_MS : WRITE_DEADLINE_MS;
    const signal = AbortSignal.timeout(deadlineMs);
    let status: number;
    let contentType: string;
    let retryAfterMs: number | null;
    let text: string;
    try {
      const response = await request(`${baseUrl}${path}`, {
        method,
        dispatcher: kind === "read" ? reading : writing,
        headers: {
          authorization: `Bearer ${key}`,
          accept: "application/json",
          "user-agent": "hopperdeck",
          ...(body && { "content-type": "application/json" }),
        },
        body: body ? JSON.stringify(body) : null,
        signal,
        headersTimeout: deadlineMs,
        bodyTimeout: deadlineMs,
      });
      status = response.statusCode;
      contentType = String(response.headers["content-type"] ?? "");
      retryAfterMs = seconds(response.headers["retry-after"]);
      text = await bounded(response.body);
    } catch (error) {
      if (error instanceof LambdaError) throw error;
      throw networkError(error);
    }
    return readAnswer(status, contentType, retryAfterMs, text, schema);
  }

  const data = <T>(schema: z.ZodType<T>) => z.object({ data: schema }).transform((answer) => answer.data);
  const outcome = (name: string) =>
    data(z.looseObject({ [name]: z.array(z.looseObject({ id: z.string() })).catch([]) }));

  return {
    listInstances: () => call("read", "GET", "/instances", data(z.array(Instance))),
    getInstance: (id: string) => call("read", "GET", `/instances/${encodeURIComponent(id)}`, data(Instance)),
    renameInstance: (id: string, name: string) =>
      call("write", "POST", `/instances/${encodeURIComponent(id)}`, data(Instance), { name }),

    /** The ids that Lambda answered: one, if all is well. */
    launch: async (launch: Launch): Promise<string[]> => {
      const body = {
        region_name: launch.regionName,
        instance_type_name: launch.typeName,
        ssh_key_names: [launch.sshKeyName],
        file_system_names: launch.fileSystemNames,
        name: launch.name,
        ...(launch.imageFamily && { image: { family: launch.imageFamily } }),
        tags: Object.entries(launch.tags).map(([tag, value]) => ({ key: tag, value })),
        user_data: launch.userData,
      };
      const answer = await call(
        "launch",
        "POST",
        "/instance-operations/launch",
        data(z.object({ instance_ids: z.array(z.string().min(1)) })),
        body,
      );
      return answer.instance_ids;
    },
    /** Whether Lambda says that it restarted this one. */
    restart: async (id: string): Promise<boolean> => {
      const answer = await call("write", "POST", "/instance-operations/restart", outcome("restarted_instances"), {
        instance_ids: [id],
      });
      return names(answer.restarted_instances, id);
    },
    terminate: async (id: string): Promise<boolean> => {
      const answer = await call("write", "POST", "/instance-operations/terminate", outcome("terminated_instances"), {
        instance_ids: [id],
      });
      return names(answer.terminated_instances, id);
    },

    listInstanceTypes: async (): Promise<InstanceType[]> => {
      return instanceTypeRows(await call("read", "GET", "/instance-types", data(InstanceTypes)));
    },
    listRegions: () => call("read", "GET", "/regions", data(z.array(RegionRow))),
    listImages: () => call("read", "GET", "/images", data(z.array(Image))),
    listSshKeys: () => call("read", "GET", "/ssh-keys", data(z.array(SshKey))),
    addSshKey: (name: string, publicKey: string) =>
      call("write", "POST", "/ssh-keys", data(SshKey), { name, public_key: publicKey }),
    deleteSshKey: (id: string) =>
      call("write", "DELETE", `/ssh-keys/${encodeURIComponent(id)}`, data(z.looseObject({}))),

    listFilesystems: () => call("read", "GET", "/file-systems", data(z.array(Filesystem))),
    // They are listed under /file-systems, and made and deleted under /filesystems.
    createFilesystem: (name: string, region: string) =>
      call("write", "POST", "/filesystems", data(Filesystem), { name, region }),
    deleteFilesystem: (id: string) =>
      call("write", "DELETE", `/filesystems/${encodeURIComponent(id)}`, data(z.looseObject({}))),

    globalRuleset: () => call("read", "GET", "/firewall-rulesets/global", data(GlobalRuleset)),
    listRulesets: () => call("read", "GET", "/firewall-rulesets", data(z.array(Ruleset))),
    /** Replaces every rule of the ruleset. */
    setRules: (rulesetId: string, rules: RuleBody[]) =>
      call("write", "PATCH", `/firewall-rulesets/${encodeURIComponent(rulesetId)}`, data(z.looseObject({})), { rules }),

    /** Events of [from, to], both ends included, in no promised order. Stops after a bounded number of pages. */
    listAuditEvents: async (from: Date, to: Date): Promise<AuditEvent[]> => {
      const events: AuditEvent[] = [];
      let pageToken: string | null = null;
      for (let page = 0; page < PAGES_AT_MOST; page++) {
        const query: URLSearchParams = new URLSearchParams({
          start: from.toISOString(),
          end: to.toISOString(),
          ...(pageToken && { page_token: pageToken }),
        });
        const answer: { data: AuditEvent[]; page_token?: string | null | undefined } = await call(
          "read",
          "GET",
          `/audit-events?${query}`,
          z.object({ data: z.array(AuditEvent), page_token: z.string().nullish() }),
        );
        events.push(...answer.data);
        if (!answer.page_token) break;
        pageToken = answer.page_token;
      }
      return events;
    },
  };
}

export type LambdaClient = ReturnType<typeof lambdaClient>;

function readAnswer<T>(
  status: number,
  contentType: string,
  retryAfterMs: number | null,
  text: string,
  schema: z.ZodType<T>,
): T {
  const json = contentType.includes("json") ? parsed(text) : undefined;
  if (status === 429)
    throw new LambdaError("throttled", "Lambda asks us to slow down (429)", null, status, retryAfterMs);
  if (status >= 200 && status < 300) {
    if (json === undefined)
      throw new LambdaError(
        "edge_page",
        `Lambda's address answered ${status} with a page instead of JSON`,
        null,
        status,
      );
    const result = schema.safeParse(json);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw new LambdaError(
      "malformed",
      `Lambda's answer cannot be read: ${issue?.path.join(".")} ${issue?.message}`,
      null,
      status,
    );
  }
  const told = ErrorBody.safeParse(json);
  if (!told.success) {
    if (status >= 500 && json !== undefined)
      throw new LambdaError("server_error", `Lambda answered ${status}`, null, status);
    throw new LambdaError(
      "edge_page",
      `Lambda's address answered ${status} with a page instead of JSON`,
      null,
      status,
      retryAfterMs,
    );
  }
  const { code, message } = told.data.error;
  const kind = status === 401 || status === 403 ? "unauthorised" : status >= 500 ? "server_error" : "refused";
  throw new LambdaError(kind, message || code, code, status);
}

async function bounded(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) throw new LambdaError("malformed", "Lambda's answer is larger than 10 MiB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function seconds(header: string | string[] | undefined): number | null {
  const value = Number(Array.isArray(header) ? header[0] : header);
  return Number.isFinite(value) && value > 0 ? value * 1000 : null;
}

function names(rows: unknown, id: string): boolean {
  return Array.isArray(rows) && rows.some((row) => (row as { id?: unknown }).id === id);
}
