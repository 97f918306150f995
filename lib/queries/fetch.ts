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
  const given = Object.entries(question).filter(([, value]) => value !== undefined && value !== null);
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  const response = await fetch(query ? `${path}?${query}` : path, { signal });
  if (response.ok) return response.json() as Promise<T>;
  const body = (await response.json().catch(() => ({}))) as { error?: { code?: string; message?: string } };
  throw new AnswerError(
    response.status,
    body.error?.code ?? "unavailable",
    body.error?.message ?? `The server answered ${response.status}.`,
  );
}
