import { ChannelId } from "@/lib/domain/alerts/channels";
import { testChannel } from "@/lib/services/alerts/channels";
import { post } from "@/lib/web/route";

export const POST = post(ChannelId, testChannel);
