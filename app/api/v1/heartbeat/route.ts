import { z } from "zod";
import { HeartbeatInput } from "@/lib/domain/notify/heartbeat";
import { readHeartbeat, setHeartbeat } from "@/lib/services/notify/heartbeat";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readHeartbeat);
export const POST = post(HeartbeatInput, setHeartbeat);
