/** An answer other than 2xx, with the server's own words. */
export class AnswerError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "AnswerError";
  }
}

type Question = Record<string, string | number | boolean | null | undefined>;

/** GET one of our own routes. A refusal becomes an error whose message is fit to show. */
export async function getJson<T>(path: string, question: Question, signal: AbortSignal): Promise<T> {
  const response = await ask(path, question, { signal });
  return response.json() as Promise<T>;
}

/** The same where the server has packed the answer once for all who ask; unpacked here. */
export async function getPackedJson<T>(path: string, question: Question, signal: AbortSignal): Promise<T> {
  const response = await ask(path, question, { signal, headers: { accept: "application/gzip" } });
  const plain = response.body?.pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain ?? null).json() as Promise<T>;
}

/** A question too large for an address. */
export async function postJson<T>(path: string, body: unknown, signal: AbortSignal): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await ask(path, {}, { signal, method: "POST", headers, body: JSON.stringify(body) });
  return response.json() as Promise<T>;
}

/** GET one of our own routes as a program, with its token and without the browser's session. */
export async function askAs<T>(path: string, token: string, signal: AbortSignal): Promise<T> {
  const how: RequestInit = { signal, credentials: "omit", headers: { authorization: `Bearer ${token}` } };
  return (await ask(path, {}, how)).json() as Promise<T>;
}

async function ask(path: string, question: Question, how: RequestInit): Promise<Response> {
  const given = Object.entries(question).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const response = await fetch(query ? `${path}?${query}` : path, how);
  if (response.ok) return response;
  const body = (await response.json().catch(() => ({}))) as { error?: { code?: string; message?: string } };
  throw new AnswerError(
    response.status,
    body.error?.code ?? "unavailable",
    body.error?.message ?? `The server answered ${response.status}.`,
  );
}
