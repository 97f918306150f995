import { z } from "zod";

/** Where to send the heartbeat; empty: nowhere. */
export const HeartbeatInput = z.object({ url: z.string().trim().max(2_000, "is too long") });
export type HeartbeatInput = z.output<typeof HeartbeatInput>;

export type HeartbeatAnswer = {
  now: number;
  /** "": nowhere. */
  host: string;
  last: { at: number; error: string | null } | null;
};
