import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { PoliciesPanel } from "@/components/policies/policies-panel";
import { can } from "@/lib/domain/access";
import { policiesQuery } from "@/lib/queries/policies";
import { readPolicies } from "@/lib/services/policies/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { resume, stop } from "./actions";

export const metadata: Metadata = { title: "Policies" };

export default async function PoliciesPage() {
  const ctx = await pageCtx();
  return (
    <Hydrate reads={[prefetch(policiesQuery(), () => readPolicies(ctx))]}>
      <PanelFrame label="The policies" rows={8}>
        <PoliciesPanel
          canWrite={can(ctx.actor, "policy:write")}
          stop={can(ctx.actor, "automation:stop") ? stop : null}
          resume={can(ctx.actor, "automation:resume") ? resume : null}
        />
      </PanelFrame>
    </Hydrate>
  );
}
