import { BASE, MINUTE, type PackRule } from "./pack-rule";

const INTENT = { ...BASE, kind: "inventory", comparison: "at_least", threshold: 1 } satisfies Partial<PackRule>;

/** What was asked of Lambda: terminations that do not come true, launches without an answer, what was sent without approval. */
export const INTENT_RULES: readonly PackRule[] = [
  {
    ...INTENT,
    packKey: "terminate-not-true",
    name: "A termination does not come true",
    severity: "critical",
    metric: "endingMs",
    threshold: 10 * MINUTE,
    reason:
      "Its end was asked for ten minutes ago, and Lambda still lists it. Most machines are gone within two. It may still bill.",
    action: "Open the queue: what does Lambda answer? Then end it in Lambda's console, and write to Lambda.",
    runbook:
      "1. Launch, Requests to Lambda: what was answered, and how often was it sent?\n2. Lambda's console: terminate {instance} there.\n3. Still listed: write to Lambda with the id and the times; the invoice view keeps them.",
  },
  {
    ...INTENT,
    packKey: "launch-unanswered",
    name: "A launch was not answered",
    severity: "warning",
    metric: "launchUnanswered",
    reason:
      "The request left and no answer came, so a machine may exist and bill. It is looked for, never sent again, and stays on watch for a day.",
    action: "Open the queue. A machine of its type that nobody knows? Adopt it there, or terminate it.",
    runbook:
      "1. Launch, Requests to Lambda, On watch: could a listed machine be it?\n2. Lambda's console: a machine with its name or tag?\n3. None: make a new one from there.",
  },
  {
    ...INTENT,
    packKey: "stray-machine",
    name: "A machine with our mark and no launch",
    severity: "critical",
    metric: "strayMark",
    forMs: 2 * MINUTE,
    reason:
      "It carries the tag of a launch that this database does not know, or that has a machine already: another installation's, a restored backup's, or a second one.",
    action: "Find out who launched it. It bills either way; terminate it if nobody needs it.",
    runbook:
      "1. {instance}: Lambda's log on its page names who launched it.\n2. Another Hopperdeck on the same account? It belongs there.\n3. Nobody's: terminate it.",
  },
  {
    ...INTENT,
    packKey: "glass-broken",
    name: "Sent without a second person",
    severity: "critical",
    metric: "glassBroken",
    reason: "A request that needed a second person was sent without one. The reason stands in Activity.",
    action: "Read the reason and ask who did it. If it was wrong, stop what can still be stopped.",
    runbook:
      "1. Activity: who, what, and the reason.\n2. Right: acknowledge it.\n3. Wrong: sign them out everywhere, in Settings, People.",
  },
  {
    ...INTENT,
    packKey: "glass-account",
    name: "The break-glass account was used",
    severity: "critical",
    metric: "glassAccount",
    reason: "Somebody opened the sealed envelope: an admin without a name of their own is signed in, or was.",
    action: "Find out who, and why the usual way in was shut. Nobody knows? Sign it out everywhere and seal it anew.",
    runbook:
      "1. Activity: from which address, and what was done since.\n2. Was the identity provider away? Then it did what it is for.\n3. Afterwards: hopperdeck user break-glass with its address makes a new password and ends its sessions.",
  },
  {
    ...INTENT,
    packKey: "changes-frozen",
    name: "Lambda refuses the key for changes",
    severity: "critical",
    metric: "changesFrozenMs",
    threshold: MINUTE,
    reason: "Nothing is launched, restarted or terminated until Lambda accepts the key again: what is idle bills on.",
    action: "Make a new key in Lambda's console and start Hopperdeck with it. In a hurry, use the console.",
    runbook:
      "1. Settings, Connection: which key, since when?\n2. Lambda's console, API keys: is it there, is the account active?\n3. A new key: LAMBDA_API_KEY_MUTATE, and restart.",
  },
];
