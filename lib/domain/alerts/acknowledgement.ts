import type { OpenStatus } from "./types";

/** B36: a property of the episode, beside its state; the evaluator neither reads nor changes it. */
export type Acknowledgement = {
  acknowledgedAt: number | null;
  /** When it ends by itself; null: with the episode. */
  reraiseAt: number | null;
};

/** Whether somebody has it in hand: repeats are held, whatever state the episode passes through. */
export function isAcknowledged({ acknowledgedAt, reraiseAt }: Acknowledgement, now: number): boolean {
  return acknowledgedAt !== null && (reraiseAt === null || now < reraiseAt);
}

/** Whether an acknowledgement has run out on an alert that still fires, or of which nobody knows whether it does. */
export function isReraiseDue(acknowledgement: Acknowledgement, status: OpenStatus, now: number): boolean {
  const hasRunOut = acknowledgement.acknowledgedAt !== null && !isAcknowledged(acknowledgement, now);
  return hasRunOut && (status === "firing" || status === "unknown");
}
