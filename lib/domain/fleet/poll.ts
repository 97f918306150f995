export const POLL_OUTCOMES = [
  "ok",
  "suspect",
  "unauthorised",
  "throttled",
  "edge_page",
  "server_error",
  "network",
] as const;
export type PollOutcome = (typeof POLL_OUTCOMES)[number];

/** Budget: one request a second in all; polling takes less than half of it. */
export const POLL_INSTANCES_MS = 15_000;
export const POLL_TYPES_MS = 60_000;
export const POLL_EVENTS_MS = 60_000;
export const POLL_FILESYSTEMS_MS = 15 * 60_000;
export const POLL_CATALOG_MS = 60 * 60_000;

/** After this long without a good listing, what is shown of the fleet is called stale. */
export const STALE_AFTER_MS = 3 * POLL_INSTANCES_MS;
