import { z } from "zod";

const LEAST = 30;
export const MOST_LOGGED = 480;

/** What was handed to channels, the newest first; of one channel, or of all. */
export const DeliveryLogQuestion = z.object({
  channelId: z.uuid().optional(),
  limit: z.coerce.number().int().min(1).max(MOST_LOGGED).default(LEAST),
});
export type DeliveryLogQuestion = z.output<typeof DeliveryLogQuestion>;

/** One try to hand a message over. */
export type DeliveryLogRow = {
  id: string;
  at: number;
  tookMs: number | null;
  channelId: string;
  channel: string;
  /** Of its first piece of news: fired, resolved, digest, test, … */
  kind: string;
  /** Rule and target of its first piece of news; null: it is of no alert. */
  headline: string | null;
  alertId: string | null;
  /** How many pieces of news it held. */
  news: number;
  /** The how manieth try of this message it was. */
  attempt: number;
  statusCode: number | null;
  /** Null: it was taken. */
  error: string | null;
  /** What became of the message after this try; `again`: there was a later try. */
  outcome: "delivered" | "again" | "waits" | "given_up";
  /** When a message that waits is tried again. */
  nextAt: number | null;
};

export type DeliveryLogAnswer = {
  now: number;
  rows: DeliveryLogRow[];
  /** There are older ones. */
  isCut: boolean;
  /** Messages that are to leave, or are leaving. */
  waiting: { count: number; nextAt: number | null };
};
