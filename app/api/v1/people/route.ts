import { z } from "zod";
import { readPeople } from "@/lib/services/people";
import { get } from "@/lib/web/route";

export const GET = get(z.object({}), readPeople);
