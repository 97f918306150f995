import { ITEM_KINDS, type ItemKind } from "./flush";

const WORDS: Record<ItemKind, string> = {
  fired: "Firing",
  resolved: "Resolved",
  reraised: "Raised again",
  flapping: "Flapping",
  repeat: "Repeat",
  escalated: "Grown critical",
  passed_on: "Passed on",
  acknowledged: "Acknowledged",
  test: "Test message",
  digest: "Cost digest",
  undelivered: "Word of a message that was not delivered",
};

/** What a message tells, in words. */
export function itemWords(kind: string): string {
  const known = ITEM_KINDS.find((one) => one === kind);
  return known ? WORDS[known] : kind;
}
