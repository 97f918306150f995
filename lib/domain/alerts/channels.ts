import { z } from "zod";
import { cleanEmail, cleanName } from "@/lib/domain/text";
import { SEVERITIES } from "./types";

export const CHANNEL_KINDS = ["slack", "pagerduty", "email", "webhook"] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

export const CHANNEL_WORDS: Record<ChannelKind, string> = {
  slack: "Slack",
  pagerduty: "PagerDuty",
  email: "Mail",
  webhook: "Webhook",
};

export const DIGESTS = ["daily", "weekly", "month_end"] as const;
export type Digest = (typeof DIGESTS)[number];

/** PagerDuty's Events API v2 in its two service regions. */
export const PAGERDUTY_EVENTS = {
  us: "https://events.pagerduty.com/v2/enqueue",
  eu: "https://events.eu.pagerduty.com/v2/enqueue",
} as const;

/** What of a channel is no secret. */
export type ChannelConfig = {
  from: string | null;
  to: readonly string[];
  /** Which cost digests it gets. */
  digests: readonly Digest[];
};

const Config = z.object({
  from: z.string().nullable().default(null),
  to: z.array(z.string()).default([]),
  digests: z.array(z.enum(DIGESTS)).default([]),
});

export function readConfig(value: unknown): ChannelConfig {
  return Config.catch({ from: null, to: [], digests: [] }).parse(value);
}

const email = z.string().transform(cleanEmail).pipe(z.email("is not a mail address"));

const addresses = z
  .string()
  .transform((text) => text.split(/[\s,;]+/).filter((part) => part !== ""))
  .pipe(z.array(email).max(20, "are too many: at most 20"));

const text = (most: number) => z.string().trim().max(most, "is too long").default("");

export const NewChannel = z
  .object({
    kind: z.enum(CHANNEL_KINDS, { error: "Choose a kind" }),
    name: z
      .string()
      .transform((name) => cleanName(name, 80))
      .refine((name) => name !== "", "Give the channel a name"),
    /** Slack and webhooks: the address to post to. Mail: smtp(s)://user:password@host:port. */
    url: text(2_000),
    /** PagerDuty: the integration key of an Events API v2 integration. */
    routingKey: text(100),
    region: z.enum(["us", "eu"]).default("us"),
    from: text(200),
    to: z.union([addresses, z.array(email).max(20)]).default([]),
    digests: z.array(z.enum(DIGESTS)).default([]),
    minSeverity: z.enum(SEVERITIES).default("warning"),
    sendResolved: z.stringbool().or(z.boolean()).default(true),
  })
  .superRefine(({ kind, url, routingKey, from, to }, context) => {
    const wrong = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if (kind === "pagerduty") {
      if (!/^[0-9a-zA-Z]{20,64}$/.test(routingKey))
        wrong("routingKey", "is not an integration key of PagerDuty's Events API v2");
      return;
    }
    if (url === "")
      wrong(
        "url",
        kind === "email" ? "Give the mail server: smtps://user:password@host" : "Give the address to post to",
      );
    if (kind !== "email") return;
    if (!/^smtps?:\/\//.test(url)) wrong("url", "must begin with smtp:// or smtps://");
    if (!z.email().safeParse(from).success) wrong("from", "Give the sender's mail address");
    if (to.length === 0) wrong("to", "Give at least one mail address");
  });
export type NewChannel = z.output<typeof NewChannel>;

export const ChannelChange = z.object({
  channelId: z.uuid(),
  enabled: z.stringbool().or(z.boolean()).optional(),
  minSeverity: z.enum(SEVERITIES).optional(),
  sendResolved: z.stringbool().or(z.boolean()).optional(),
  digests: z.array(z.enum(DIGESTS)).optional(),
});
export type ChannelChange = z.output<typeof ChannelChange>;

export const ChannelId = z.object({ channelId: z.uuid() });

export type ChannelRow = {
  id: string;
  kind: ChannelKind;
  name: string;
  /** Of the address, which itself is never shown again. */
  host: string;
  config: ChannelConfig;
  minSeverity: (typeof SEVERITIES)[number];
  sendResolved: boolean;
  enabled: boolean;
  /** The address was kept with another key, and must be entered again. */
  isUnreadable: boolean;
  last: { at: number; isDelivered: boolean; error: string | null; tookMs: number | null } | null;
};

export type ChannelsAnswer = { now: number; channels: ChannelRow[] };
