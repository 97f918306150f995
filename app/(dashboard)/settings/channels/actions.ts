"use server";

import { ChannelChange, ChannelId, NewChannel } from "@/lib/domain/alerts/channels";
import { HeartbeatInput } from "@/lib/domain/notify/heartbeat";
import { UndeliveredId } from "@/lib/domain/notify/route-input";
import { WorkingHoursChange } from "@/lib/domain/settings";
import * as channels from "@/lib/services/alerts/channels";
import * as heartbeat from "@/lib/services/notify/heartbeat";
import * as routes from "@/lib/services/notify/routes";
import { changeWorkingHours } from "@/lib/services/settings";
import { action } from "@/lib/web/action";

export const createChannel = action(NewChannel, channels.createChannel);
export const changeChannel = action(ChannelChange, channels.changeChannel);
export const removeChannel = action(ChannelId, channels.removeChannel);
export const testChannel = action(ChannelId, channels.testChannel);
export const setHeartbeat = action(HeartbeatInput, heartbeat.setHeartbeat);
export const setWorkingHours = action(WorkingHoursChange, changeWorkingHours);
export const sendAgain = action(UndeliveredId, routes.sendAgain);
export const takeOff = action(UndeliveredId, routes.takeOff);
