import type { Clock } from "./clock";

type Bucket = { tokens: number; filledAt: number };

/** A token bucket per key, filled by the cloud's clock. */
export class RateLimit {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly clock: Clock,
    private readonly perSecond: number,
    private readonly burst: number,
  ) {}

  /** Takes one token; false when there is none. */
  take(key: string): boolean {
    const now = this.clock.now();
    const bucket = this.buckets.get(key) ?? { tokens: this.burst, filledAt: now };
    const gained = ((now - bucket.filledAt) / 1_000) * this.perSecond;
    const tokens = Math.min(this.burst, bucket.tokens + gained);
    const isAllowed = tokens >= 1;
    this.buckets.set(key, { tokens: isAllowed ? tokens - 1 : tokens, filledAt: now });
    return isAllowed;
  }
}
