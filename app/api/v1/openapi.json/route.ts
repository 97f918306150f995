import { env } from "@/lib/env";
import { version } from "@/lib/services/version";
import { sessionCookie } from "@/lib/web/auth";
import { tagged } from "@/lib/web/conditional";
import { openApi } from "@/lib/web/openapi";

/** For anyone: it says what there is to ask, and holds no secret. */
export function GET(request: Request): Response {
  const document = openApi({ version: version(), server: env.publicUrl, cookie: sessionCookie() });
  return tagged(request, JSON.stringify(document), false);
}
