import { lookup as dnsLookup } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { Agent, request } from "undici";

/** Why an address of a webhook is not called. */
export class OutboundError extends Error {}

export type Resolver = (hostname: string) => Promise<string[]>;

export type Outbound = {
  /** Private networks that an administrator has allowed, as CIDRs. */
  allowedCidrs: readonly string[];
  resolve?: Resolver;
  /** Tests connect elsewhere than where the name leads. */
  connectTo?: (address: string) => string;
};

export type Answer = { statusCode: number; retryAfterMs: number | null; body: string };

const DEADLINE_MS = 10_000;
const BODY_LIMIT_BYTES = 16 * 1024;
const PORTS = new Set(["", "80", "443", "8080", "8443", "3000", "3001", "5000", "9000", "9093"]);

/** Where clouds tell a machine its credentials: never called, whatever network is allowed. */
const METADATA = new Set(["169.254.169.254", "169.254.170.2", "100.100.100.200", "192.0.0.192", "fd00:ec2::254"]);

/** Whether an address may be called: a public one, or one in a network that was allowed by name. (reliability 3.6) */
export function isAllowedAddress(address: string, allowedCidrs: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  if (METADATA.has(ip.toString())) return false;
  if (ip.range() === "unicast") return true;
  return allowedCidrs.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr);
    return network.kind() === ip.kind() && ip.match(network, bits);
  });
}

/** Ports that webhooks use; where a private network is allowed, any. */
function isHookPort(port: string, allowedCidrs: readonly string[]): boolean {
  return PORTS.has(port) || allowedCidrs.length > 0;
}

/** Checks what a person typed before it is kept; what its name leads to is checked at every call. */
export function checkedUrl(text: string, allowedCidrs: readonly string[], isPort = isHookPort): URL {
  if (!URL.canParse(text)) throw new OutboundError("This is not an address. It looks like https://example.com/hook.");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new OutboundError("The address must begin with https:// or http://.");
  if (url.username || url.password) throw new OutboundError("The address must not hold a user name or password.");
  const isAllowed = (host: string) => isAllowedAddress(host, allowedCidrs);
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (ipaddr.isValid(host) && !isAllowed(host))
    throw new OutboundError(
      "This address lies in a private or reserved network. Allow the network with OUTBOUND_PRIVATE_CIDRS if that is intended.",
    );
  if (!isPort(url.port, allowedCidrs))
    throw new OutboundError(`Port ${url.port} is not among those that may be called.`);
  return url;
}

/** The address to which a name leads, resolved once; every address that it leads to must be allowed. */
export async function resolveAllowed(
  host: string,
  { allowedCidrs, resolve = resolveAll, connectTo }: Outbound,
): Promise<string> {
  const addresses = ipaddr.isValid(host) ? [host] : await resolve(host);
  if (addresses.length === 0) throw new OutboundError(`${host} has no address.`);
  if (!addresses.every((address) => isAllowedAddress(address, allowedCidrs)))
    throw new OutboundError(`${host} leads into a private or reserved network.`);
  const [first = host] = addresses;
  return connectTo?.(first) ?? first;
}

/** A way to the address of a URL that was checked: the connection goes where its name was found to lead. To be destroyed after use. */
export async function wayTo(url: URL, options: Outbound): Promise<Agent> {
  const dialled = await resolveAllowed(url.hostname.replace(/^\[|\]$/g, ""), options);
  const lookup: LookupFunction = (_name, given, callback) => {
    const family = ipaddr.parse(dialled).kind() === "ipv6" ? 6 : 4;
    if (given.all) callback(null, [{ address: dialled, family }]);
    else callback(null, dialled, family);
  };
  return new Agent({ connect: { lookup, timeout: DEADLINE_MS }, pipelining: 0 });
}

/** POSTs JSON to an address that a person configured. Redirects are not followed, answers are read up to 16 KiB and never decoded. */
export async function postJson(
  target: string,
  /** A text is sent as it is: what was signed. */
  body: unknown,
  headers: Record<string, string>,
  options: Outbound,
): Promise<Answer> {
  const url = checkedUrl(target, options.allowedCidrs);
  const dispatcher = await wayTo(url, options);
  try {
    const response = await request(url, {
      method: "POST",
      dispatcher,
      body: typeof body === "string" ? body : JSON.stringify(body),
      headers: { "content-type": "application/json", "user-agent": "hopperdeck", ...headers },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    let text = "";
    for await (const chunk of response.body) {
      text += String(chunk);
      if (text.length > BODY_LIMIT_BYTES) break;
    }
    const wish = Number(response.headers["retry-after"]);
    return {
      statusCode: response.statusCode,
      retryAfterMs: Number.isFinite(wish) && wish > 0 ? wish * 1000 : null,
      body: text.slice(0, BODY_LIMIT_BYTES),
    };
  } finally {
    await dispatcher.destroy().catch(() => {});
  }
}

function resolveAll(hostname: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    dnsLookup(hostname, { all: true, verbatim: true }, (error, found) =>
      error ? reject(error) : resolve(found.map(({ address }) => address)),
    );
  });
}
