type Outcome = { ok: true } | { ok: false; message: string };

const LOST = "The server did not answer. Nothing was changed; try again in a moment.";

/** Proves who somebody is to next-auth; the answer sets the session's cookie. A refusal says why in words. */
export async function signIn(provider: "password" | "demo", fields: Record<string, string>): Promise<Outcome> {
  try {
    const response = await postForm(`/api/auth/callback/${provider}`, fields);
    const { url } = (await response.json().catch(() => ({}))) as { url?: string };
    const refusal = url ? new URL(url, window.location.href).searchParams.get("error") : null;
    if (response.ok && refusal === null) return { ok: true };
    return { ok: false, message: refusal ?? LOST };
  } catch {
    return { ok: false, message: LOST };
  }
}

/** Leaves for the identity provider, which sends them back; `isProof`: they must prove there anew who they are. */
export async function leaveForProvider(next: string, isProof: boolean): Promise<Outcome> {
  try {
    const path = `/api/auth/signin/oidc${isProof ? "?again=1" : ""}`;
    const response = await postForm(path, { callbackUrl: new URL(next, window.location.href).href });
    const { url } = (await response.json().catch(() => ({}))) as { url?: string };
    if (!response.ok || !url) return { ok: false, message: LOST };
    window.location.assign(url);
    return { ok: true };
  } catch {
    return { ok: false, message: LOST };
  }
}

/** Ends the session: its row is closed, so that a copy of the cookie is worth nothing. */
export async function signOut(): Promise<Outcome> {
  try {
    const response = await postForm("/api/auth/signout", {});
    return response.ok ? { ok: true } : { ok: false, message: LOST };
  } catch {
    return { ok: false, message: LOST };
  }
}

async function postForm(path: string, fields: Record<string, string>): Promise<Response> {
  const { csrfToken } = (await (await fetch("/api/auth/csrf")).json()) as { csrfToken: string };
  return fetch(path, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ callbackUrl: "/", ...fields, csrfToken, json: "true" }),
  });
}
