import { z } from "zod";
import { cleanName } from "@/lib/domain/text";
import { SEVERITIES } from "./types";

export const CHANNEL_KINDS = ["webhook", "slack"] as const;

export const NewChannel = z.object({
  kind: z.enum(CHANNEL_KINDS, { error: "Choose a kind" }),
  name: z
    .string()
    .transform((name) => cleanName(name, 80))
    .refine((name) => name !== "", "Give the channel a name"),
  url: z.string().trim().min(1, "Give the address to post to").max(2_000, "is too long"),
  minSeverity: z.enum(SEVERITIES).default("warning"),
  sendResolved: z.stringbool().or(z.boolean()).default(true),
});
export type NewChannel = z.output<typeof NewChannel>;

export const ChannelChange = z.object({
  channelId: z.uuid(),
  enabled: z.stringbool().or(z.boolean()).optional(),
  minSeverity: z.enum(SEVERITIES).optional(),
  sendResolved: z.stringbool().or(z.boolean()).optional(),
});
export type ChannelChange = z.output<typeof ChannelChange>;

export const ChannelId = z.object({ channelId: z.uuid() });

export type ChannelRow = {
  id: string;
  kind: (typeof CHANNEL_KINDS)[number];
  name: string;
  /** Of the address, which itself is never shown again. */
  host: string;
  minSeverity: (typeof SEVERITIES)[number];
  sendResolved: boolean;
  enabled: boolean;
  /** The address was kept with another key, and must be entered again. */
  isUnreadable: boolean;
  last: { at: number; isDelivered: boolean; error: string | null; tookMs: number | null } | null;
};

export type ChannelsAnswer = { now: number; channels: ChannelRow[] };
