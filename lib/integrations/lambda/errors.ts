/**
 * How a call to Lambda went wrong, in the terms in which we must act:
 * `refused` a JSON error with a code; `unauthorised` 401 or 403; `throttled` 429; `edge_page` an answer that is not Lambda's
 * (an HTML page of the network in front of it); `server_error` 5xx; `not_sent` no byte of the request left us;
 * `lost` the request may have arrived and its answer did not; `malformed` 200 with a body that we cannot read.
 */
export type LambdaErrorKind =
  | "refused"
  | "unauthorised"
  | "throttled"
  | "edge_page"
  | "server_error"
  | "not_sent"
  | "lost"
  | "malformed";

export class LambdaError extends Error {
  constructor(
    readonly kind: LambdaErrorKind,
    message: string,
    /** Lambda's own `error.code`; branch on this, never on the message. */
    readonly code: string | null = null,
    readonly status: number | null = null,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
    this.name = "LambdaError";
  }
}

/** Failures after which a launch may exist although nobody said so. */
export function isOutcomeUnknown(error: LambdaError): boolean {
  return (
    error.kind === "lost" || error.kind === "server_error" || error.kind === "edge_page" || error.kind === "malformed"
  );
}

// Connection refused, unknown host, TLS refused: nothing of the request was written yet.
const BEFORE_SENDING =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|ERR_TLS_|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Classifies what the network layer threw. */
export function networkError(error: unknown): LambdaError {
  const cause = error as { code?: string; message?: string; cause?: { code?: string }; errors?: { code?: string }[] };
  const code = cause.code ?? cause.cause?.code ?? cause.errors?.[0]?.code ?? "";
  if (BEFORE_SENDING.test(code)) return new LambdaError("not_sent", `Lambda cannot be reached (${code})`, code);
  return new LambdaError(
    "lost",
    `The connection to Lambda broke or timed out (${code || cause.message || "no reason"})`,
    code || null,
  );
}
