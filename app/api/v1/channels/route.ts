import { z } from "zod";
import { NewChannel } from "@/lib/domain/alerts/channels";
import { createChannel, readChannels } from "@/lib/services/alerts/channels";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readChannels);
export const POST = post(NewChannel, createChannel);
