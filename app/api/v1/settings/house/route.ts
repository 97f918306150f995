import { z } from "zod";
import { readHouse } from "@/lib/services/settings-house";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readHouse);
