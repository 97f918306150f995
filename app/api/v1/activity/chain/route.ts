import { z } from "zod";
import { readChain } from "@/lib/services/activity/chain";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readChain);
