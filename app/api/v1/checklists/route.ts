import { z } from "zod";
import { SavedFields } from "@/lib/domain/saved";
import { createChecklist, readChecklists } from "@/lib/services/intents/checklists";
import { get, post } from "@/lib/web/route";

export const GET = get(z.object({}), readChecklists);
export const POST = post(SavedFields, createChecklist);
