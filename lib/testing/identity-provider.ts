import { createHash, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the provider is asked for when somebody is sent there. */
type Asked = {
  redirectUri: string;
  state: string;
  nonce: string;
  challenge: string;
  clientId: string;
  maxAge: string | null;
  prompt: string | null;
};

/** What it says of them, and how it misbehaves. */
export type Said = {
  claims: Record<string, unknown>;
  /** Changes what an honest ID token would hold. */
  token?: Record<string, unknown>;
  /** Signs with a key that it does not publish. */
  isForged?: boolean;
  /** Says that the token is signed in another way. */
  alg?: string;
};

export type IdentityProvider = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** What was asked with the last address that somebody was sent to. */
  asked: (address: string) => Asked;
  /** The person says who they are: a code that is good once. */
  consent: (address: string, said: Said) => string;
  /** Bodies of the requests to the token address. */
  exchanges: URLSearchParams[];
  /** The clock by which it writes tokens, in milliseconds. */
  clock: { now: () => number };
  close: () => Promise<void>;
};

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An OpenID Connect provider on this machine: discovery, keys, and the code flow with PKCE and signed ID tokens. */
export async function startIdentityProvider(): Promise<IdentityProvider> {
  const clientId = "hopperdeck-test";
  const clientSecret = randomUUID();
  const keys = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const others = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const codes = new Map<string, { asked: Asked; said: Said }>();
  const exchanges: URLSearchParams[] = [];
  const clock = { now: () => Date.now() };
  let issuer = "";

  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.writeHead(500).end());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const say = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const { pathname } = new URL(request.url ?? "", issuer);
    if (pathname === "/.well-known/openid-configuration") {
      return void say(200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ["code"],
        id_token_signing_alg_values_supported: ["RS256"],
      });
    }
    if (pathname === "/keys") {
      return void say(200, {
        keys: [{ ...keys.publicKey.export({ format: "jwk" }), kid: "one", use: "sig", alg: "RS256" }],
      });
    }
    if (pathname !== "/token" || request.method !== "POST") return void say(404, {});
    const form = new URLSearchParams(await textOf(request));
    exchanges.push(form);
    const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
    if (request.headers.authorization !== basic) return void say(401, { error: "invalid_client" });
    const code = form.get("code") ?? "";
    const held = codes.get(code);
    codes.delete(code);
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!held || held.asked.challenge !== challenge || held.asked.redirectUri !== form.get("redirect_uri"))
      return void say(400, { error: "invalid_grant" });
    say(200, { access_token: randomUUID(), token_type: "Bearer", expires_in: 300, id_token: idToken(held) });
  }

  function idToken({ asked, said }: { asked: Asked; said: Said }): string {
    const now = Math.floor(clock.now() / 1000);
    const honest = { iss: issuer, aud: clientId, iat: now, exp: now + 300, nonce: asked.nonce };
    const key: KeyObject = said.isForged ? others.privateKey : keys.privateKey;
    const alg = said.alg ?? "RS256";
    const text = `${encode({ alg, kid: "one", typ: "JWT" })}.${encode({ ...honest, ...said.claims, ...said.token })}`;
    return `${text}.${alg === "none" ? "" : sign("RSA-SHA256", Buffer.from(text), key).toString("base64url")}`;
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const asked = (address: string): Asked => {
    const { searchParams: given, origin, pathname } = new URL(address);
    if (origin !== issuer || pathname !== "/authorize") throw new Error(`${address} is not this provider's`);
    const of = (name: string) => given.get(name) ?? "";
    if (of("code_challenge_method") !== "S256" || of("response_type") !== "code")
      throw new Error("another flow was asked for");
    return {
      redirectUri: of("redirect_uri"),
      state: of("state"),
      nonce: of("nonce"),
      challenge: of("code_challenge"),
      clientId: of("client_id"),
      maxAge: given.get("max_age"),
      prompt: given.get("prompt"),
    };
  };
  return {
    issuer,
    clientId,
    clientSecret,
    asked,
    consent: (address, said) => {
      const code = randomUUID();
      codes.set(code, { asked: asked(address), said });
      return code;
    },
    exchanges,
    clock,
    close: () => closed(server),
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
