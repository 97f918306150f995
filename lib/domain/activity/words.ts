/** What each act is called in a list: subject first, then what was done to it. Every action that is written has its words here. */
export const ACT_WORDS: Record<string, string> = {
  "alert.acknowledged": "Acknowledged",
  "alert.unacknowledged": "Acknowledgement taken back",
  "alert.commented": "Commented",
  "alert.assigned": "Assigned",
  "alert.snoozed": "Snoozed",
  "alert.woken": "Snooze ended",
  "alert.merged": "Merged into one incident",
  "alert.unmerged": "Taken out of an incident",
  "budget.changed": "Budget changed",
  "budget.created": "Budget set up",
  "budget.removed": "Budget removed",
  "allocation-rule.created": "Allocation rule created",
  "allocation-rule.ended": "Allocation rule ended",
  "allocation-rule.moved": "Allocation rule moved",
  "allocation-rule.removed": "Allocation rule taken back",
  "budget.set": "Budget set",
  "invoice.decided": "Difference of an invoice settled",
  "invoice.entered": "Invoice entered",
  "invoice.removed": "Invoice removed",
  "setting.changed": "Setting changed",
  "saved.created": "Saved",
  "saved.changed": "Saved again",
  "saved.removed": "Removed from what is saved",
  "silence.created": "Silence placed",
  "silence.ended": "Silence ended",
  "heartbeat.set": "Heartbeat set",
  "message.sent_again": "Message sent again",
  "message.taken_off": "Undelivered message taken off",
  "session.ended": "Session ended",
  "session.others-ended": "Other sessions ended",
  "channel.changed": "Channel changed",
  "channel.created": "Channel created",
  "channel.removed": "Channel removed",
  "channel.tested": "Channel tested",
  "period.closed": "Month closed",
  "period.closing": "Closing begun",
  "period.signed": "Point of the month’s close settled",
  "period.reviewed": "Doubtful lives signed off",
  "connection.lost": "Lambda lost",
  "database.restored": "Backup restored",
  "instance.launched": "Listed by Lambda, launched from here",
  "instance.terminated": "Ended, as asked from here",
  "intent.adopted": "Machine found and adopted",
  "intent.cancelled": "Request dropped, the machine was gone",
  "intent.closed-unconfirmed": "No machine turned up",
  "intent.expired": "Request dropped, never sent",
  "intent.orphan-found": "Machine of an unknown launch found",
  "labels.changed": "Labels changed",
  "note.added": "Note added",
  "launch.requested": "Launch asked for",
  "launch.accepted": "Launch accepted",
  "launch.refused": "Launch refused",
  "launch.outcome-unknown": "Launch without an answer",
  "launch.cancelled": "Launch taken back",
  "terminate.requested": "Termination asked for",
  "terminate.accepted": "Termination accepted",
  "terminate.refused": "Termination refused",
  "terminate.outcome-unknown": "Termination without an answer",
  "terminate.cancelled": "Termination taken back",
  "restart.requested": "Restart asked for",
  "restart.accepted": "Restart accepted",
  "restart.refused": "Restart refused",
  "restart.outcome-unknown": "Restart without an answer",
  "restart.cancelled": "Restart taken back",
  "person.changed": "Role changed",
  "person.disabled": "Account disabled",
  "person.invited": "Invited",
  "person.joined": "Joined",
  "person.password-changed": "Password changed",
  "person.password-set": "Password set",
  "person.signed-in": "Signed in",
  "person.signed-out": "Signed out",
  "person.signed-out-everywhere": "Signed out everywhere",
  "charge.added": "Charge added",
  "charge.removed": "Charge taken back",
  "commitment.added": "Commitment added",
  "commitment.removed": "Commitment taken back",
  "ledger.recomputed": "Ledger worked out anew",
  "price.changed": "Price changed",
  "price.imported": "Prices imported",
  "price.set": "Price set",
  "rule.changed": "Rule changed",
  "rule.created": "Rule created",
  "rule.paused": "Rule paused",
  "rule.removed": "Rule removed",
  "rule.resumed": "Rule resumed",
  "route.changed": "Route changed",
  "route.created": "Route created",
  "route.ordered": "Routes put in order",
  "route.removed": "Route removed",
  "run.changed": "Run changed",
  "run.ended": "Run ended",
  "run.recorded": "Past run written down",
  "run.removed": "Run removed",
  "target.changed": "Target changed",
  "target.created": "Target added",
  "target.removed": "Target removed",
  "target.tested": "Target tested",
  "run.started": "Run started",
  "sender.assigned": "Sender assigned",
  "sender.dismissed": "Sender dismissed",
  "sender.restored": "Sender restored",
  "token.created": "Token created",
  "token.revoked": "Token revoked",
};

/** What was seen of machines that nobody here asked for. */
const SEEN_WORDS: Record<string, string> = {
  "seen.first": "First seen, launched outside",
  "seen.terminated_outside": "Gone, ended outside",
  "seen.vanished": "Gone, nobody says why",
  "seen.preempted": "Taken away by Lambda",
  "seen.unhealthy": "Unhealthy",
};

/** Lambda's own words for what happened in the account, as its audit log has them. */
const PROVIDER_WORDS: [RegExp, string][] = [
  [/terminat/i, "Terminated"],
  [/launch|create.*instance|instance.*create/i, "Launched"],
  [/restart/i, "Restarted"],
  [/ssh.*(add|creat)/i, "SSH key added"],
  [/ssh.*(delet|remov)/i, "SSH key removed"],
  [/file.?system.*creat/i, "File system created"],
  [/file.?system.*delet/i, "File system deleted"],
];

/** The words of an act; an action nobody named is made readable. */
export function actWords(action: string): string {
  const known = ACT_WORDS[action] ?? SEEN_WORDS[action];
  if (known) return known;
  const text = action.replaceAll(/[._-]+/g, " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The words of an entry in Lambda's log; somebody else's are marked so. */
export function providerWords(action: string, isOutside: boolean): string {
  const words = PROVIDER_WORDS.find(([pattern]) => pattern.test(action))?.[1] ?? actWords(action);
  return isOutside ? `${words} outside` : words;
}

/** Which actions are called what somebody types, so that a list can be searched by what it shows. */
export function actionsCalled(text: string): {
  actions: string[];
  logPattern: string | null;
  isOutsideOnly: boolean;
} {
  const wanted = text.trim().toLowerCase();
  const plain = wanted.replace(/\s+outside$/, "");
  const isCalled = (words: string, by: string) => words.toLowerCase().includes(by);
  const actions = Object.entries({ ...ACT_WORDS, ...SEEN_WORDS }).filter(([, words]) => isCalled(words, wanted));
  const patterns = PROVIDER_WORDS.filter(([, words]) => isCalled(words, plain));
  return {
    actions: actions.map(([action]) => action),
    logPattern: patterns.map(([pattern]) => pattern.source).join("|") || null,
    isOutsideOnly: plain !== wanted,
  };
}
