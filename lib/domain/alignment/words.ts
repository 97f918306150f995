import { formatCount, formatUsdChange } from "@/lib/domain/format";
import type { FactLine, Verdict } from "./compare";
import type { AlignmentAnswer } from "./view";

const VERDICTS: Record<Verdict, string> = {
  aligned: "Aligned",
  differs: "Not as declared",
  unverified: "Not verified",
  undeclared: "Nothing declared",
};

export function verdictWords(verdict: Verdict): string {
  return VERDICTS[verdict];
}

/** The one sentence the page opens with. */
export function verdictSentence({ verdict, counts, totals, declared, poll }: AlignmentAnswer): string {
  if (verdict === "undeclared")
    return `${formatCount(totals.machines, "machine")} run${totals.machines === 1 ? "s" : ""}; nobody has said what should.`;
  const open = counts.critical + counts.warning;
  const pending =
    counts.pending > 0 ? ` ${formatCount(counts.pending, "difference")} seen once, waiting for a second poll.` : "";
  const notVerified = counts.unverified > 0 ? ` ${formatCount(counts.unverified, "fact")} nobody could verify.` : "";
  const stale = poll.staleSince === null ? "" : " Lambda does not answer, so this is what was seen last.";
  if (verdict === "aligned")
    return `Every fact of ${formatCount(totals.machines, "machine")} is as declared.${pending}${stale}`;
  if (verdict === "unverified") return `Nothing differs from what was declared.${notVerified}${pending}${stale}`;
  const money =
    totals.differenceMicros === "0"
      ? ""
      : ` ${formatUsdChange(totals.differenceMicros)} per ${declared?.hoursPerMonth ?? 720} h against the plan.`;
  return `${formatCount(open, "finding")} open.${money}${pending}${notVerified}${stale}`;
}

/** "3 differ", "1 agrees, 2 not verified": what came of a fact over the machines of a group. */
export function resultWords({ agree, differ, unverified }: Pick<FactLine, "agree" | "differ" | "unverified">): string {
  return [
    ...(differ > 0 ? [`${differ} differ${differ === 1 ? "s" : ""}`] : []),
    ...(agree > 0 ? [`${agree} agree${agree === 1 ? "s" : ""}`] : []),
    ...(unverified > 0 ? [`${unverified} not verified`] : []),
  ].join(", ");
}
