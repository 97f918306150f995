import { z } from "zod";
import { NewSilence } from "@/lib/domain/silences/silence";
import { readSilences } from "@/lib/services/silences/read";
import { createSilence } from "@/lib/services/silences/silences";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readSilences);
export const POST = post(NewSilence, createSilence);
