/** What may go wrong in ways that a person can understand. Anything else is a bug and keeps flying. */
export type ErrorCode =
  | "unauthenticated"
  | "forbidden"
  | "not-found"
  | "invalid"
  | "conflict"
  | "too-large"
  | "unsupported"
  | "too-many"
  | "unavailable";

export const httpStatus: Record<ErrorCode, number> = {
  unauthenticated: 401,
  forbidden: 403,
  "not-found": 404,
  invalid: 400,
  conflict: 409,
  "too-large": 413,
  unsupported: 415,
  "too-many": 429,
  unavailable: 503,
};

export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Message per form field, by its name. */
    readonly fields: Record<string, string> = {},
    /** For `too-many` and `unavailable`: when it makes sense to come back. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = "AppError";
  }
}

export type Failure = { code: ErrorCode; message: string; fields: Record<string, string>; retryAfterMs: number | null };
export type Result<T> = { ok: true; data: T } | { ok: false; error: Failure };

type SchemaError = Error & { issues: { path: PropertyKey[]; message: string }[] };

/** What a schema throws, told by its shape: this module goes to the browser, and the schema library must not come along. */
function isSchemaError(error: unknown): error is SchemaError {
  return error instanceof Error && error.name === "ZodError" && "issues" in error && Array.isArray(error.issues);
}

/** PostgreSQL starts, stops, is full of connections, or is not there: what was asked can be asked again. */
const ABSENT = new Set(["57P01", "57P02", "57P03", "53300", "08001", "08006", "ECONNREFUSED", "ECONNRESET"]);
const ABSENT_RETRY_MS = 5_000;

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && ABSENT.has(error.code);
}

/** How an expected failure looks outside. An unexpected one is thrown on. */
export function failure(error: unknown): Failure {
  if (error instanceof AppError) {
    const { code, message, fields, retryAfterMs } = error;
    return { code, message, fields, retryAfterMs };
  }
  if (isSchemaError(error)) {
    const fields: Record<string, string> = {};
    for (const issue of error.issues) fields[issue.path.map(String).join(".") || "form"] ??= issue.message;
    const first = Object.entries(fields)[0];
    const message = first ? (first[0] === "form" ? first[1] : `${first[0]}: ${first[1]}`) : "The input is not valid";
    return { code: "invalid", message, fields, retryAfterMs: null };
  }
  if (isAbsence(error)) {
    const message = "The database does not answer at the moment. Nothing was changed; try again.";
    return { code: "unavailable", message, fields: {}, retryAfterMs: ABSENT_RETRY_MS };
  }
  throw error;
}
