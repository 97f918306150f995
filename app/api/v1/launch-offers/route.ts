import { z } from "zod";
import { readLaunchOffers } from "@/lib/services/intents/offers";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readLaunchOffers);
