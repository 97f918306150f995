"use server";

import { ChannelChange, ChannelId, NewChannel } from "@/lib/domain/alerts/channels";
import * as channels from "@/lib/services/alerts/channels";
import { action } from "@/lib/web/action";

export const createChannel = action(NewChannel, channels.createChannel);
export const changeChannel = action(ChannelChange, channels.changeChannel);
export const removeChannel = action(ChannelId, channels.removeChannel);
export const testChannel = action(ChannelId, channels.testChannel);
