import { z } from "zod";

/** Which share of the spend each provider should have, in per cent; together 100, or none. */
export const ProviderTargets = z
  .record(z.string().min(1).max(60), z.number().int().min(0).max(100))
  .refine((targets) => Object.keys(targets).length <= 20, "At most 20 providers")
  .refine(
    (targets) => [0, 100].includes(Object.values(targets).reduce((total, share) => total + share, 0)),
    "The shares must add up to 100 %",
  );
export type ProviderTargets = z.output<typeof ProviderTargets>;
