import { z } from "zod";
import { readChannels } from "@/lib/services/alerts/channels";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readChannels);
