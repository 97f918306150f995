import { NextRequest } from "next/server";
import NextAuth from "next-auth";
import { authOptions, PROVIDER, proofSetCookie, wasProofAskedFor } from "@/lib/web/auth";
import { answer } from "@/lib/web/route";
import { requireSameOrigin } from "@/lib/web/session";

type Context = { params: Promise<{ nextauth: string[] }> };

const handle = async (
  request: Request,
  context: Context,
  asked: Parameters<typeof authOptions>[0] = {},
): Promise<Response> => (await NextAuth(authOptions(asked))(request as never, context as never)) as Response;

export async function GET(request: Request, context: Context): Promise<Response> {
  const state = new URL(request.url).searchParams.get("state");
  return handle(request, context, { wasProofAsked: await wasProofAskedFor(state) });
}

/** next-auth has its own token against forgery; the origin is asked for as everywhere else. */
export function POST(request: Request, context: Context): Promise<Response> {
  return answer(async () => {
    await requireSameOrigin();
    const [act, provider] = (await context.params).nextauth;
    return act === "signin" && provider === PROVIDER ? toProvider(request, context) : handle(request, context);
  });
}

/** What is asked of the provider is ours to say: of the address only `again` is read. */
async function toProvider(request: Request, context: Context): Promise<Response> {
  const isProof = new URL(request.url).searchParams.has("again");
  const plain = new NextRequest(new URL(new URL(request.url).pathname, request.url), {
    method: "POST",
    headers: request.headers,
    body: await request.text(),
  });
  const response = await handle(plain, context, { isProof });
  const { url } = (await response
    .clone()
    .json()
    .catch(() => ({}))) as { url?: string };
  const state = url && URL.canParse(url) ? new URL(url).searchParams.get("state") : null;
  if (isProof && state) response.headers.append("set-cookie", await proofSetCookie(state));
  return response;
}
