import { BASE, LOOK, MINUTE, type PackRule } from "./pack-rule";

const TELEMETRY = { ...BASE, kind: "telemetry", comparison: "at_least" } satisfies Partial<PackRule>;
const INVENTORY = { ...BASE, kind: "inventory", comparison: "at_least" } satisfies Partial<PackRule>;
const EVENT = { ...BASE, kind: "event", comparison: "at_least" } satisfies Partial<PackRule>;
const WATCHER = { ...BASE, kind: "telemetry", comparison: "at_least", intervalMs: MINUTE } satisfies Partial<PackRule>;

const READ_LOG = `${LOOK}\n2. sudo dmesg -T | grep -i -E 'NVRM|Xid'\n3. The alert's page has the verdict for the code and what comes next.\n4. A fault of the hardware: save what can be saved, terminate {instance}, write to Lambda with the lines and {uuid}.`;

/** Errors in the kernel's log, reports that stay away, what Lambda says, and rules about rules. */
export const MACHINE_RULES: readonly PackRule[] = [
  {
    ...EVENT,
    packKey: "hardware-fault",
    name: "Fault of the hardware",
    severity: "critical",
    metric: "hardwareFaults",
    threshold: 1,
    params: { minutes: 15 },
    reason:
      "An Xid that NVIDIA's tables put down to the hardware: memory (48, 64, 95, 140), a card that fell off the bus (79), and others like them. Repeated lines are one incident.",
    action:
      "Save what can be saved. Restart once where the verdict says so; else terminate the machine and launch another.",
    runbook: READ_LOG,
  },
  {
    ...EVENT,
    packKey: "application-xids",
    name: "Application errors repeat on a GPU",
    severity: "info",
    metric: "xidCount",
    comparison: "above",
    threshold: 3,
    params: { codes: "13, 31, 43, 45", minutes: 60 },
    reason: "More than three errors of the application's kind (Xid 13, 31, 43, 45) on one GPU within an hour.",
    action: "Tell the owner of the job. The same GPU again with another job: suspect the card.",
    runbook: READ_LOG,
  },
  {
    ...TELEMETRY,
    packKey: "telemetry-lost",
    name: "Telemetry lost while billing",
    severity: "warning",
    metric: "overdueMs",
    threshold: 0,
    // Five minutes later the same alert is critical: one machine, one alert.
    params: { critical: 5 * MINUTE },
    reason:
      "No report for three intervals, and at least 90 seconds. The instance still costs money, and nobody can say what it does. Critical five minutes later: the machine may be dead.",
    action:
      "Open the instance. If it answers by SSH, restart the agent. If it does not: restart it, or terminate it if nobody needs it. Until then it costs its full price.",
    runbook: `${LOOK}\n2. It answers: systemctl status hopperdeck-agent; sudo systemctl restart hopperdeck-agent\n3. It does not: what does Lambda say of {instance}? Unhealthy: restart it. Active: wait two minutes, try again, then restart.\n4. Nobody needs it: terminate it.`,
  },
  {
    ...TELEMETRY,
    packKey: "gpu-missing",
    name: "GPU fell off the bus",
    severity: "critical",
    metric: "missingGpus",
    threshold: 1,
    forMs: 2 * MINUTE,
    reason: "The machine reports, and fewer GPUs than its type has: one has fallen off the bus, and is paid for.",
    action: "Save what can be saved and restart the machine. If the card stays away, terminate it and tell Lambda.",
    runbook: `${LOOK}\n2. nvidia-smi -L; lspci | grep -i nvidia; sudo dmesg -T | grep -i xid\n3. Xid 79: restart {instance} once.\n4. Still fewer: terminate it, launch another, write to Lambda.`,
  },
  {
    ...TELEMETRY,
    packKey: "sender-failing",
    name: "nvidia-smi fails",
    severity: "warning",
    metric: "senderFailing",
    threshold: 1,
    forMs: 2 * MINUTE,
    reason: "The agent runs and nvidia-smi does not answer it: the driver is gone, or does not fit the library.",
    action: "Sign in and run nvidia-smi. After an upgrade of the driver, restart the machine.",
    runbook: `${LOOK}\n2. nvidia-smi: its error is on the instance's page, too.\n3. "Driver/library version mismatch": restart {instance}.\n4. "Unable to determine the device handle": see the kernel's log for Xid 79.`,
  },
  {
    ...TELEMETRY,
    packKey: "clock-skew",
    name: "Clock of a machine is off",
    severity: "warning",
    metric: "clockSkewMs",
    comparison: "above",
    threshold: 30_000,
    forMs: 5 * MINUTE,
    reason: "More than 30 seconds off: what it reports lands at the wrong time, and from a minute on it is refused.",
    action: "Set the machine's clock by NTP.",
    runbook: `${LOOK}\n2. timedatectl; sudo systemctl restart systemd-timesyncd\n3. Still off: sudo timedatectl set-ntp true`,
  },
  {
    ...INVENTORY,
    packKey: "instance-unhealthy",
    name: "Instance unhealthy",
    severity: "critical",
    metric: "unhealthy",
    threshold: 1,
    reason: "Lambda itself reports the instance as unhealthy. One that was active before is billed all the same.",
    action: "Restart it once. If it stays unhealthy, terminate it and launch another; ask Lambda for a credit.",
    runbook:
      "1. Restart {instance} from its page, once.\n2. Still unhealthy after ten minutes: launch another first, then terminate this one.\n3. Write to Lambda for a credit, with the times; the invoice view keeps them.",
  },
  {
    ...INVENTORY,
    packKey: "stuck-booting",
    name: "Stuck booting",
    severity: "warning",
    metric: "bootingMs",
    comparison: "above",
    threshold: 15 * MINUTE,
    reason:
      "Most machines are active within 6 minutes, eight-GPU machines within 15. Booting is free, but nobody gets work done.",
    action: "Terminate it and launch again, in another region if one has capacity.",
    runbook:
      "1. Launch shows where the type has capacity.\n2. Launch it there.\n3. Terminate {instance}; booting costs nothing.",
  },
  {
    ...INVENTORY,
    packKey: "verification-failed",
    name: "Not what was ordered",
    severity: "warning",
    metric: "verificationFailed",
    threshold: 1,
    reason:
      "Active does not mean usable: no agent within 15 minutes, another card or fewer, too little memory, an old driver, no CUDA, a file system that is not mounted, or a wrong clock. It costs its full price meanwhile.",
    action:
      "Look which check fails on the instance's page. If a restart does not mend it: terminate it and launch another like it.",
    runbook:
      "1. Open {instance}: which check fails, and with which words?\n2. No agent: can the machine reach PUBLIC_URL? sudo journalctl -u hopperdeck-agent\n3. No CUDA: restart {instance} once.\n4. Still failing: launch another like it, then terminate {instance} and ask Lambda for a credit.",
  },
  {
    ...INVENTORY,
    packKey: "listed-again",
    name: "A machine that was gone is listed again",
    severity: "critical",
    metric: "listedAgain",
    threshold: 1,
    reason:
      "Two looks 30 s apart lacked it, so it counted as gone; now Lambda lists it again. It bills, and nobody has watched it meanwhile. It is told for a day, or until it goes.",
    action:
      "Is it still wanted? If not, terminate it again. What it cost meanwhile is on its page, as low, best and high.",
    runbook:
      "1. {instance}: its history says when it was gone, and who asked for that.\n2. Not wanted: terminate it again, and watch until it is gone.\n3. Wanted: look whether its agent reports, and what became of its run.\n4. Billed between: the invoice view has the days; ask Lambda.",
  },
  {
    ...BASE,
    kind: "drift",
    comparison: "at_least",
    packKey: "not-as-declared",
    name: "Not as declared",
    severity: "warning",
    metric: "findings",
    threshold: 1,
    reason:
      "Two polls agree that a machine, or a group, is not what the declaration says: another card, less memory, pools that do not fit, another price, a machine too many or too few.",
    action:
      "Open Alignment: each finding says what would settle it. Correct the declaration or the fleet, or accept it until a day.",
    runbook:
      "1. Alignment: which fact differs, and which source says so?\n2. The declaration is wrong: correct its line.\n3. The fleet is wrong: launch what is missing, terminate what nobody declared.\n4. It may stay: accept it, with a reason and a day.",
  },
  {
    ...INVENTORY,
    packKey: "lambda-stale",
    name: "Lambda is not answering",
    severity: "warning",
    metric: "staleMs",
    threshold: 3 * MINUTE,
    reason: "No good answer from Lambda for 3 minutes: what is running, and what it costs, is what we last saw.",
    action:
      "Check the connection in Settings: a refused key needs a new one; an outage at Lambda passes. Trust no “gone” until it answers.",
    runbook:
      "1. Settings, Connection: what did it answer last?\n2. 401 or 403: make a new key at Lambda and restart with it.\n3. 5xx or no answer: status.lambda.ai; wait.\n4. Meanwhile: terminate nothing for being gone.",
  },
  {
    ...WATCHER,
    packKey: "rule-error",
    name: "A rule cannot be judged",
    severity: "warning",
    metric: "ruleErrors",
    threshold: 3,
    reason: "Three slots in a row failed: what the rule watches is watched by nobody.",
    action: "Open the rule: its error stands there. A database that is gone is in Settings, Health.",
    runbook:
      "1. Alerts, Rules: the rule's last error.\n2. A setting of its own: change it.\n3. The database: Settings, Health.",
  },
  {
    ...WATCHER,
    packKey: "rule-without-data",
    name: "A rule sees no data",
    severity: "warning",
    metric: "ruleWithoutData",
    threshold: 3,
    reason: "Three slots in a row in which no target had a sample: the rule guards nothing.",
    action: "Look whether the agents of its targets report, and whether the metric is one that they send.",
    runbook:
      "1. Alerts, Coverage: which targets does it have?\n2. Fleet: do they report?\n3. A metric that this card does not have: the instance's page says so; choose another.",
  },
  {
    ...WATCHER,
    packKey: "rule-missed",
    name: "Slots of rules were missed",
    severity: "warning",
    metric: "ruleMissedInARow",
    threshold: 3,
    keepFiringMs: 5 * MINUTE,
    reason: "More than two slots in a row that nobody judged: the worker stood still, or has too much to do.",
    action: "Look at the worker in Settings, Health. Missed slots are not judged afterwards.",
    runbook: "1. Settings, Health: is a worker alive, and how long does a round take?\n2. Restart it if it hangs.",
  },
  {
    ...WATCHER,
    packKey: "rule-slow",
    name: "A rule is slow",
    severity: "warning",
    metric: "ruleTimePct",
    comparison: "above",
    threshold: 50,
    forMs: 5 * MINUTE,
    reason: "It takes more than half of its interval: with a few more machines it will miss slots.",
    action: "Judge it less often, shorten its window, or narrow what it watches.",
    runbook: "1. Alerts, Rules: its window and its targets.\n2. A shorter window, or a longer interval.",
  },
];
