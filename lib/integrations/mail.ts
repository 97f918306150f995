import ipaddr from "ipaddr.js";
import { createTransport } from "nodemailer";
import { isAllowedAddress, type Outbound, OutboundError, resolveAllowed } from "./outbound";

const DEADLINE_MS = 10_000;
const MAIL_PORTS = new Set(["", "25", "465", "587", "2525"]);

export type Mail = {
  from: string;
  to: readonly string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
};

/** smtp(s)://user:password@host:port. Plain smtp is upgraded to TLS where the server offers it. */
export function checkedMailServer(text: string, allowedCidrs: readonly string[]): URL {
  if (!URL.canParse(text))
    throw new OutboundError("This is not a mail server. It looks like smtps://user:password@mail.example.com.");
  const url = new URL(text);
  if (url.protocol !== "smtp:" && url.protocol !== "smtps:")
    throw new OutboundError("The mail server must begin with smtp:// or smtps://.");
  const host = hostOf(url);
  if (host === "") throw new OutboundError("The mail server's name is missing.");
  if (ipaddr.isValid(host) && !isAllowedAddress(host, allowedCidrs))
    throw new OutboundError(
      "This mail server lies in a private or reserved network. Allow the network with OUTBOUND_PRIVATE_CIDRS if that is intended.",
    );
  if (!MAIL_PORTS.has(url.port) && allowedCidrs.length === 0)
    throw new OutboundError(`Port ${url.port} is not one of a mail server.`);
  return url;
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");

/** Hands a mail to its server. The server's name is resolved once, and every address it leads to must be allowed. */
export async function sendMail(server: string, mail: Mail, options: Outbound): Promise<{ id: string; answer: string }> {
  const url = checkedMailServer(server, options.allowedCidrs);
  const name = hostOf(url);
  const address = await resolveAllowed(name, options);
  const isImplicitTls = url.protocol === "smtps:";
  const transport = createTransport({
    host: address,
    port: url.port === "" ? (isImplicitTls ? 465 : 587) : Number(url.port),
    secure: isImplicitTls,
    ...(url.username !== "" && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    // The certificate is the name's, not the address's.
    tls: { servername: name },
    connectionTimeout: DEADLINE_MS,
    greetingTimeout: DEADLINE_MS,
    socketTimeout: DEADLINE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { messageId, response } = await transport.sendMail({ ...mail, to: [...mail.to] });
    return { id: messageId, answer: response.slice(0, 500) };
  } finally {
    transport.close();
  }
}
