import { BASE, DAY, MINUTE, type PackRule } from "./pack-rule";

const INVENTORY = {
  ...BASE,
  kind: "inventory",
  comparison: "at_least",
  intervalMs: MINUTE,
} satisfies Partial<PackRule>;

/** Leases, and what standing policies say and do. */
export const POLICY_RULES: readonly PackRule[] = [
  {
    ...INVENTORY,
    packKey: "lease-ends",
    name: "Lease ends soon",
    severity: "warning",
    metric: "leaseLeftMs",
    comparison: "at_most",
    threshold: DAY,
    reason: "Somebody said that the instance may end within the next day. An armed lease policy ends it then.",
    action: "Extend the lease on the instance's page if it is still needed; else save what is to be kept.",
    runbook:
      "1. Open {instance}: who has it, and what does it do?\n2. Still needed: Extend, on its page.\n3. Not needed: copy what is to be kept; terminate it now and save the rest.",
  },
  {
    ...INVENTORY,
    packKey: "lease-over",
    name: "Lease is over",
    severity: "warning",
    metric: "leaseOverMs",
    comparison: "above",
    threshold: 10 * MINUTE,
    reason: "It was to end and goes on billing: no policy ends it, or something speaks against its end.",
    action: "Extend the lease, or terminate the instance. Policies, Lease says why it was left alone.",
    runbook:
      "1. Policies: is a lease policy armed, and why does it leave {instance} alone?\n2. Ask its owner.\n3. Extend the lease, or terminate {instance}.",
  },
  {
    ...INVENTORY,
    packKey: "policy-ends",
    name: "A policy will end it",
    severity: "warning",
    metric: "endAnnounced",
    threshold: 1,
    reason: "An armed policy has announced the end of the instance. Until its hour, anyone on call may keep it.",
    action: "Still needed: Policies, open the policy, Keep it. Else nothing is to be done.",
    runbook:
      "1. Policies: which policy, when, and why?\n2. Needed: Keep it, with a reason.\n3. The policy is wrong: pause it, or stop all automation.",
  },
  {
    ...INVENTORY,
    packKey: "policy-acts",
    name: "A policy acted",
    severity: "info",
    metric: "policyActs",
    threshold: 1,
    reason: "A standing policy has ended, launched or held back something within the hour.",
    action: "Nothing, if it was right. If not: pause the policy, or stop all automation.",
    runbook: "1. Policies: what did it do, and why?\n2. Wrong: pause it, and launch again what it ended.",
  },
  {
    ...INVENTORY,
    packKey: "capacity-found",
    name: "Capacity that was waited for",
    severity: "info",
    metric: "capacityFound",
    threshold: 1,
    intervalMs: 30_000,
    reason: "A watch for capacity has found what it waits for; it may be gone within minutes.",
    action: "Launch it now, if it is still needed.",
    runbook:
      "1. Launch: choose the type and the region that the alert names.\n2. Gone already: leave the watch as it is; it says so again.",
  },
];
