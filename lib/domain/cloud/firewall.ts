import ipaddr from "ipaddr.js";
import { z } from "zod";
import { cleanName } from "@/lib/domain/text";

export const PROTOCOLS = ["tcp", "udp", "icmp", "all"] as const;

/** "1.2.3.4" and "1.2.3.4/32" are one network; host bits are no part of one. */
const Network = z
  .string()
  .trim()
  .max(43)
  .transform((text, issues) => {
    try {
      const [address, length] = ipaddr.IPv4.parseCIDR(text.includes("/") ? text : `${text}/32`);
      if (ipaddr.IPv4.isValidFourPartDecimal(text.split("/")[0] ?? ""))
        return `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${length}`)}/${length}`;
    } catch {
      // Told below.
    }
    issues.addIssue({ code: "custom", message: "is not an IPv4 network such as 203.0.113.0/24" });
    return z.NEVER;
  });

const port = z.coerce
  .number({ error: "Give a port" })
  .int("Give a whole port")
  .min(1, "Ports begin at 1")
  .max(65_535, "Ports end at 65535");

/** One rule for what may come in (Lambda's FirewallRule); everything else is refused. */
export const FirewallRule = z
  .object({
    protocol: z.enum(PROTOCOLS),
    /** From and to, both included; none for icmp. */
    ports: z.tuple([port, port]).nullable(),
    source: Network,
    description: z
      .string()
      .max(128, "is longer than 128 characters")
      .transform((text) => cleanName(text, 128))
      .default(""),
  })
  .superRefine(({ protocol, ports }, issues) => {
    if (protocol === "icmp" && ports !== null)
      issues.addIssue({ code: "custom", path: ["ports"], message: "ICMP has no ports" });
    if (protocol !== "icmp" && ports === null)
      issues.addIssue({ code: "custom", path: ["ports"], message: "Give the ports" });
    if (ports && ports[0] > ports[1])
      issues.addIssue({ code: "custom", path: ["ports"], message: "The first port lies above the last" });
  });
export type FirewallRule = z.output<typeof FirewallRule>;

export const GLOBAL_RULESET = "global";

/** The rules as they were looked at, and as they shall be. */
export const FirewallChange = z.object({
  rulesetId: z.string().regex(/^(global|[0-9a-f]{32})$/, "is not the id of a ruleset"),
  /** `rulesText` of the rules that the person saw: what another changed meanwhile is not overwritten. */
  seen: z.string().max(20_000),
  rules: z.array(FirewallRule).max(100, "At most 100 rules"),
});
export type FirewallChange = z.output<typeof FirewallChange>;

export function ruleWords({ protocol, ports, source, description }: FirewallRule): string {
  const which =
    ports === null
      ? ""
      : ports[0] === ports[1]
        ? ` ${ports[0]}`
        : ports[0] === 1 && ports[1] === 65_535
          ? " any port"
          : ` ${ports[0]}–${ports[1]}`;
  const from = source === "0.0.0.0/0" ? "anywhere" : source.replace(/\/32$/, "");
  return `${protocol === "all" ? "any protocol" : protocol.toUpperCase()}${which} from ${from}${description ? ` (${description})` : ""}`;
}

/** All of a ruleset in one text, by which two readings are compared; the order of rules means nothing. */
export function rulesText(rules: readonly FirewallRule[]): string {
  return rules
    .map(({ protocol, ports, source, description }) => JSON.stringify([protocol, ports, source, description]))
    .sort()
    .join("\n");
}

export type RuleDiff = { added: FirewallRule[]; removed: FirewallRule[]; kept: number };

/** What a change would add and take away. */
export function ruleDiff(before: readonly FirewallRule[], after: readonly FirewallRule[]): RuleDiff {
  const left = before.map((rule) => ({ rule, text: rulesText([rule]) }));
  const added: FirewallRule[] = [];
  let kept = 0;
  for (const rule of after) {
    const at = left.findIndex(({ text }) => text === rulesText([rule]));
    if (at < 0) added.push(rule);
    else {
      left.splice(at, 1);
      kept++;
    }
  }
  return { added, removed: left.map(({ rule }) => rule), kept };
}

const SSH_PORT = 22;
const isOpenTo = (rule: FirewallRule, at: number) =>
  (rule.protocol === "tcp" || rule.protocol === "all") &&
  rule.ports !== null &&
  rule.ports[0] <= at &&
  at <= rule.ports[1];

/** What a person should read before rules come into force. */
export function dangersOf(before: readonly FirewallRule[], after: readonly FirewallRule[]): string[] {
  const { added } = ruleDiff(before, after);
  const dangers = added
    .filter(
      ({ source, ports, protocol }) =>
        source === "0.0.0.0/0" && protocol !== "icmp" && ports !== null && ports[1] - ports[0] >= 1_000,
    )
    .map(
      (rule) =>
        `${ruleWords(rule)} opens ${(rule.ports?.[1] ?? 0) - (rule.ports?.[0] ?? 0) + 1} ports to the whole internet.`,
    );
  if (before.some((rule) => isOpenTo(rule, SSH_PORT)) && !after.some((rule) => isOpenTo(rule, SSH_PORT)))
    dangers.push("Nobody can reach the machines by SSH any more. Agents go on reporting: they call out.");
  return dangers;
}
