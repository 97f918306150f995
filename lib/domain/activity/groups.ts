import type { What } from "./view";

/** Which acts belong together, by the beginning of their action; whatever stands in none of them is a setting. */
const PREFIXES: Record<Exclude<What, "all" | "settings">, readonly string[]> = {
  machines: [
    "launch.",
    "terminate.",
    "restart.",
    "intent.",
    "instance.",
    "labels.",
    "note.",
    "run.",
    "protection.",
    "lease.",
    "batch.",
    "verification.",
    "ssh-key.",
    "file-system.",
    "firewall.",
    "seen.",
  ],
  policies: ["policy.", "automation.", "guardrails.", "template.", "launch-template.", "checklist."],
  alerts: ["alert.", "silence.", "rule.", "route.", "channel.", "message.", "heartbeat."],
  money: [
    "budget.",
    "price.",
    "charge.",
    "commitment.",
    "invoice.",
    "period.",
    "allocation-rule.",
    "ledger.",
    "quote.",
    "other-spend.",
    "scenario.",
  ],
  plan: ["declaration.", "finding.", "alignment.", "software-policy.", "review.", "view."],
  people: ["person.", "session.", "token."],
};

/** What a list is asked for; Lambda's own records are about machines. */
export function whatOf(what: What): { prefixes: string[]; isRest: boolean; hasLambda: boolean } | null {
  if (what === "all") return null;
  if (what === "settings") return { prefixes: Object.values(PREFIXES).flat(), isRest: true, hasLambda: false };
  return { prefixes: [...PREFIXES[what]], isRest: false, hasLambda: what === "machines" };
}
