import { ChannelChange } from "@/lib/domain/alerts/channels";
import { changeChannel } from "@/lib/services/alerts/channels";
import { post } from "@/lib/web/route";

export const POST = post(ChannelChange, changeChannel);
