import NextAuth from "next-auth";
import { authOptions } from "@/lib/web/auth";
import { answer } from "@/lib/web/route";
import { requireSameOrigin } from "@/lib/web/session";

type Context = { params: Promise<{ nextauth: string[] }> };

const handle = async (request: Request, context: Context): Promise<Response> =>
  (await NextAuth(authOptions())(request as never, context as never)) as Response;

export const GET = handle;

/** next-auth has its own token against forgery; the origin is asked for as everywhere else. */
export function POST(request: Request, context: Context): Promise<Response> {
  return answer(async () => {
    await requireSameOrigin();
    return handle(request, context);
  });
}
