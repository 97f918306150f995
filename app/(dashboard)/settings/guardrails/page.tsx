import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { GuardrailsPanel } from "@/components/settings/guardrails-panel";
import { lockOf } from "@/lib/domain/access";
import { guardrailsQuery } from "@/lib/queries/launch";
import { readGuardrails } from "@/lib/services/guardrails";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { changeGuardrails } from "./actions";

export const metadata: Metadata = { title: "Guardrails" };

export default async function GuardrailsPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(guardrailsQuery(), () => readGuardrails(ctx))]}>
      <PanelFrame label="The guardrails" rows={12}>
        <GuardrailsPanel act={changeGuardrails} locked={lockOf(ctx.actor, "setting:write")} />
      </PanelFrame>
    </Hydrate>
  );
}
