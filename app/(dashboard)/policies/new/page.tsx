import type { Metadata } from "next";
import { PanelFrame } from "@/components/page/panel-frame";
import { NewPolicyRoom } from "@/components/policies/new-policy";
import { can } from "@/lib/domain/access";
import { POLICY_KINDS } from "@/lib/domain/policies/kinds";
import { policyChoicesQuery } from "@/lib/queries/policies";
import { readPolicyChoices } from "@/lib/services/policies/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { create } from "./actions";

export const metadata: Metadata = { title: "New policy" };

export default async function NewPolicyPage({ searchParams }: PageProps<"/policies/new">) {
  const ctx = await pageCtx();
  const { kind } = await searchParams;
  return (
    <Hydrate reads={[prefetch(policyChoicesQuery(), () => readPolicyChoices(ctx))]}>
      <PanelFrame label="The policy" rows={10}>
        <NewPolicyRoom
          kind={POLICY_KINDS.find((one) => one === kind) ?? "idle_termination"}
          create={can(ctx.actor, "policy:write") ? create : null}
        />
      </PanelFrame>
    </Hydrate>
  );
}
