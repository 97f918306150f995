import type { Changes } from "@/lib/domain/audit";

export const WHO = ["all", "people", "outside", "system"] as const;
export type Who = (typeof WHO)[number];

export const WHAT = ["all", "machines", "policies", "alerts", "money", "plan", "people", "settings"] as const;
export type What = (typeof WHAT)[number];

export const SOURCES = ["all", "hopperdeck", "lambda"] as const;
export type Source = (typeof SOURCES)[number];

export const DAYS = ["all", "1", "7", "30", "90"] as const;
export type Days = (typeof DAYS)[number];

export type Act = {
  key: string;
  at: number;
  source: "hopperdeck" | "lambda";
  /** `mark`: the long name that the provider has for somebody. */
  who: { kind: "user" | "token" | "system" | "outside"; name: string; mark: string | null };
  action: string;
  words: string;
  subject: string;
  /** Where the subject is shown, if it still is. */
  href: string | null;
  changes: Changes;
  reason: string | null;
  ip: string | null;
  /** Place in the hash chain; null for what Lambda recorded or listed. */
  seq: string | null;
  hash: string | null;
};

export type Chain = {
  checkedAt: number;
  /** When all of it was read again; entries since are read at every look. Null: never, so all of it was read now. */
  wholeAt: number | null;
  entries: string;
  isIntact: boolean;
  brokenAt: string | null;
  head: string | null;
};

export type ActivityAnswer = {
  now: number;
  acts: Act[];
  next: string | null;
  /** What of the trail this role sees, in words; null: all of it. */
  limit: string | null;
  eventsReadAt: number | null;
  eventsError: string | null;
};
