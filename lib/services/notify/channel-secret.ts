import { z } from "zod";
import { openSecret } from "@/lib/services/secrets";

/** What of a channel nobody may read: where it is posted to, and by which key. */
const ChannelSecret = z.object({
  url: z.string(),
  routingKey: z.string().optional(),
  signingSecret: z.string().optional(),
});
export type ChannelSecret = z.output<typeof ChannelSecret>;

export function sealedChannel(secret: ChannelSecret): string {
  return JSON.stringify(secret);
}

/** Null: it cannot be read with this key. Channels of older versions keep their address alone. */
export async function openChannel(secretId: string): Promise<ChannelSecret | null> {
  const text = await openSecret(secretId);
  if (text === null) return null;
  if (!text.startsWith("{")) return { url: text };
  const parsed = ChannelSecret.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}
