import { listCatalog } from "@/lib/db/fleet/catalog";
import { readSettingNow } from "@/lib/db/settings";
import { driversInUse, listTypeNames } from "@/lib/db/verification";
import { authorize, type Ctx } from "@/lib/domain/access";
import type { Guardrails } from "@/lib/domain/intents/guardrails";
import type { GuardrailsAnswer } from "@/lib/domain/intents/guardrails-form";
import { changeSetting } from "./settings";

/** What the house allows, and what it could name. */
export async function readGuardrails(ctx: Ctx): Promise<GuardrailsAnswer> {
  authorize(ctx, "fleet:read");
  const [guardrails, types, regions, drivers] = await Promise.all([
    readSettingNow("guardrails"),
    listTypeNames(),
    listCatalog(["region"]),
    driversInUse(),
  ]);
  return { now: ctx.now.getTime(), guardrails, types, regions: regions.map(({ name }) => name), drivers };
}

export function changeGuardrails(ctx: Ctx, guardrails: Guardrails): Promise<Guardrails> {
  return changeSetting(ctx, "setting:write", "guardrails", guardrails, "Guardrails");
}
