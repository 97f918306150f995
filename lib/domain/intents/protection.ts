import { z } from "zod";

const reason = z
  .string()
  .max(300, "Use at most 300 characters")
  .transform((text) => text.trim())
  .refine((text) => text.length >= 3, "Say why, in a few words");

export const ChangeProtection = z.object({ instanceId: z.uuid(), reason });
export type ChangeProtection = z.output<typeof ChangeProtection>;
