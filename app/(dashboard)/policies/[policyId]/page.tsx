import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PanelFrame } from "@/components/page/panel-frame";
import { PolicyRoom } from "@/components/policies/policy-room";
import { can } from "@/lib/domain/access";
import { PolicyId } from "@/lib/domain/policies/policy";
import { AppError } from "@/lib/errors";
import { policyChoicesQuery, policyQuery } from "@/lib/queries/policies";
import { readPolicy, readPolicyChoices } from "@/lib/services/policies/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { arm, change, keep, pause, remove, shadow } from "./actions";

export const metadata: Metadata = { title: "Policy" };

export default async function PolicyPage({ params }: PageProps<"/policies/[policyId]">) {
  const ctx = await pageCtx();
  const asked = PolicyId.safeParse(await params);
  if (!asked.success) notFound();
  const { policyId } = asked.data;
  const answer = readPolicy(ctx, { policyId }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "not-found") notFound();
    throw error;
  });
  await answer;
  const mayArm = can(ctx.actor, "policy:arm");
  return (
    <Hydrate
      reads={[
        prefetch(policyQuery(policyId), () => answer),
        prefetch(policyChoicesQuery(), () => readPolicyChoices(ctx)),
      ]}
    >
      <PanelFrame label="The policy" rows={12}>
        <PolicyRoom
          policyId={policyId}
          verbs={can(ctx.actor, "policy:write") ? { change, pause, shadow, remove, arm: mayArm ? arm : null } : null}
          keep={can(ctx.actor, "automation:stop") ? keep : null}
        />
      </PanelFrame>
    </Hydrate>
  );
}
