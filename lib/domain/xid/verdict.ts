import { groupBy } from "@/lib/domain/group";
import { type Burst, cardOf, type XidEvent } from "./bursts";
import { type XidOwner, type XidSeverity, xidCode } from "./codes";
import { type Recovery, recoveryOf } from "./recovery";
import { isRepeated } from "./repeats";
import { TENANT_STEPS, type VerdictAction } from "./words";

export type Verdict = {
  severity: XidSeverity;
  owner: XidOwner;
  action: VerdictAction;
  /** The code that decides. */
  code: number;
  /** What it is, in a line. */
  headline: string;
  /** Why this verdict, where more than the code's own entry decides. */
  why: string | null;
  /** What a tenant does. */
  steps: string;
  /** Whether it may wake somebody as a fault of the hardware. */
  mayPage: boolean;
  /** The card that decides, as `cardOf` names it. */
  card: string;
};

type Judgement = { code: number; severity: XidSeverity; owner: XidOwner; action: VerdictAction; why: string | null };

const RANK: Readonly<Record<XidSeverity, number>> = { info: 0, warning: 1, critical: 2 };

/**
 * What an incident means and asks for. The rules beat the table: 154 names the recovery, 45 follows others, 48 with 63 or 64 asks
 * to drain, 13 and 31 that come back at one place suspect the hardware. `earlier`: events of the same machine in the days before.
 */
export function judge(burst: Burst, earlier: readonly XidEvent[] = []): Verdict {
  const onMachine = codesIn(burst.events);
  const cards = [...groupBy(burst.events, cardOf)].map(([card, events]) => ({
    card,
    ...judgeCard(events, onMachine, burst, earlier),
  }));
  // Oldest first, and the sort is stable: of equals the one that came first decides.
  const [worst] = cards.sort((a, b) => RANK[b.severity] - RANK[a.severity] || weightOf(b) - weightOf(a));
  if (!worst) throw new Error("A burst without events");
  const { code, severity, owner, action, why, card } = worst;
  return {
    severity,
    owner,
    action,
    code,
    headline: meaningOf(code),
    why,
    steps: TENANT_STEPS[action].steps,
    mayPage: severity === "critical" && owner !== "workload",
    card,
  };
}

/** What a code means, in NVIDIA's words where it has any. */
export function meaningOf(code: number): string {
  const entry = xidCode(code);
  if (!entry) return "Not in NVIDIA's catalogue";
  if (entry.isRetired) return "Retired code";
  if (code === 45) return "Preemptive cleanup, due to previous errors";
  if (code === 171) return "Uncorrectable memory error in DRAM";
  if (code === 172) return "Uncorrectable memory error in SRAM";
  return entry.meaning;
}

function judgeCard(
  events: readonly XidEvent[],
  onMachine: ReadonlySet<number>,
  burst: Burst,
  earlier: readonly XidEvent[],
): Judgement {
  const codes = codesIn(events);
  const judged = [...codes]
    .filter((code) => code !== 154 && !isSecondary(code, codes, onMachine))
    .map((code) => judgeCode(code, codes, burst, events, earlier))
    .sort((a, b) => RANK[b.severity] - RANK[a.severity] || weightOf(b) - weightOf(a));
  const recovery = recoveryOf(events);
  const [worst] = judged;
  if (recovery && !isOutdated(recovery, worst ?? null, events)) return byDriver(recovery, worst ?? null);
  if (codes.has(154) && !worst)
    return { code: 154, severity: "warning", owner: "other", action: "follow_text", why: null };
  if (worst) return worst;
  const [only = 0] = codes;
  return {
    code: only,
    severity: "info",
    owner: "workload",
    action: "follow_other",
    why: "It follows another error on this machine.",
  };
}

/** Follows another error of the same incident, and says nothing of its own. */
function isSecondary(code: number, onCard: ReadonlySet<number>, onMachine: ReadonlySet<number>): boolean {
  if (code === 45) return [...onMachine].some((other) => other !== 45 && other !== 154);
  if (code === 171 || code === 172) return onCard.has(48);
  if (code === 159) return [...onCard].some((other) => other !== 159 && other !== 154 && other !== 45);
  return false;
}

/** "No recovery" speaks of what came before it, not of an error that came afterwards. */
function isOutdated({ action }: Recovery, cause: Judgement | null, events: readonly XidEvent[]): boolean {
  const codes = events.map(({ code }) => code);
  return action === "nothing" && cause !== null && codes.lastIndexOf(cause.code) > codes.lastIndexOf(154);
}

function byDriver({ action, severity, said }: Recovery, cause: Judgement | null): Judgement {
  return {
    code: cause?.code ?? 154,
    // What the driver needs no recovery from is no emergency, whatever the table says.
    severity: action === "nothing" && cause?.severity !== "critical" ? (cause?.severity ?? "info") : severity,
    owner: cause?.owner ?? "other",
    action,
    why: `Xid 154: the driver requires "${said}", which overrides the table.`,
  };
}

function judgeCode(
  code: number,
  onCard: ReadonlySet<number>,
  burst: Burst,
  events: readonly XidEvent[],
  earlier: readonly XidEvent[],
): Judgement {
  if (code === 48) {
    const beside = [63, 64].filter((other) => onCard.has(other));
    const where = onCard.has(172) ? " The fault was in SRAM: ask Lambda whether its threshold is passed." : "";
    return {
      code,
      severity: "critical",
      owner: "memory",
      action: beside.length > 0 ? "drain_reset" : "reset",
      why:
        (beside.length > 0
          ? `Xid 48 with ${beside.join(" and ")}: drain before the reset.`
          : "Xid 48 without 63 or 64: a reset clears it.") + where,
    };
  }
  if (code === 171 || code === 172)
    return {
      code,
      severity: "critical",
      owner: "memory",
      action: "follow_48",
      why: "The Xid 48 beside it was not seen.",
    };
  if (code === 45)
    return {
      code,
      severity: "warning",
      owner: "workload",
      action: "solo_45",
      why: "Xid 45 alone: no other error came with it.",
    };
  if (code === 13 || code === 31) return judgeFault(code, burst, events, earlier);
  const entry = xidCode(code);
  if (!entry)
    return {
      code,
      severity: "warning",
      owner: "other",
      action: "monitor",
      why: "A newer driver may know more codes than the 172 of October 2025.",
    };
  return {
    code,
    severity: entry.severity === "follow_text" ? "warning" : entry.severity,
    owner: entry.owner,
    action: entry.tenant ?? "monitor",
    why: entry.isRetired ? "NVIDIA lists it as unused on Ampere and newer." : null,
  };
}

/** 13 and 31: the application's, until they come back at one place and at no other. Never more than a warning. */
function judgeFault(code: 13 | 31, burst: Burst, events: readonly XidEvent[], earlier: readonly XidEvent[]): Judgement {
  const times = isRepeated(code, burst, events, earlier);
  if (times === null) return { code, severity: "warning", owner: "workload", action: "tell_owner", why: null };
  const place = code === 13 ? "the same TPC of this GPU" : "this GPU";
  return {
    code,
    severity: "warning",
    owner: "workload",
    action: "suspect_hardware",
    why: `Xid ${code} came ${times} times on ${place} from different processes, and nowhere else on the machine within 7 days. NVIDIA's pattern for hardware; on a machine with one GPU the application fits it too.`,
  };
}

/** Of two judgements alike in severity, hardware's goes first, then what the driver or a workflow decides. */
function weightOf({ owner, why }: Judgement): number {
  return (owner === "workload" ? 0 : 2) + (why === null ? 0 : 1);
}

function codesIn(events: readonly XidEvent[]): Set<number> {
  return new Set(events.map(({ code }) => code));
}
