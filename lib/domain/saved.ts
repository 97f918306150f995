import { z } from "zod";
import { cleanName } from "@/lib/domain/text";

export const SAVED_KINDS = ["view", "launch_template", "scenario", "review", "checklist"] as const;
export type SavedKind = (typeof SAVED_KINDS)[number];

const NAME_LENGTH = 80;

/** What somebody keeps by name. `body` is judged by the noun it belongs to. */
export const SavedFields = z.object({
  name: z
    .string()
    .max(400)
    .transform((text) => cleanName(text, NAME_LENGTH))
    .pipe(z.string().min(1, "Give it a name")),
  isShared: z.boolean().default(false),
  body: z.unknown(),
});
export type SavedFields = z.output<typeof SavedFields>;

/** A change of what nobody has changed since it was read. */
export const SavedChange = SavedFields.extend({ id: z.uuid(), version: z.coerce.number().int().min(1) });
export type SavedChange = z.output<typeof SavedChange>;

export const SavedId = z.object({ id: z.uuid() });
export type SavedId = z.output<typeof SavedId>;

export type Saved<Body> = {
  id: string;
  name: string;
  body: Body;
  version: number;
  isShared: boolean;
  owner: string | null;
  /** Whether the reader is its owner. */
  isOwn: boolean;
  updatedAt: number;
};
