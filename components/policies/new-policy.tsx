"use client";

import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { type Act, useAct } from "@/components/settings/use-act";
import { PageTitle } from "@/components/ui/page";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { TabLinks } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import { needsShadow, POLICY_KINDS, type PolicyKind } from "@/lib/domain/policies/kinds";
import { armingWords, KIND_NAMES, KIND_WHAT } from "@/lib/domain/policies/words";
import { policyChoicesQuery } from "@/lib/queries/policies";
import { inputOf, type NewPolicyInput, newDraft, type PolicyDraft } from "./draft";
import { PolicyForm } from "./policy-form";
import { PolicyPreview } from "./policy-preview";

type Props = { kind: PolicyKind; create: Act<NewPolicyInput, { id: string }> | null };

/** A new policy, with what it would have done shown while it is written. */
export function NewPolicyRoom({ kind, create }: Props) {
  const { data: choices } = useLive(policyChoicesQuery());
  const router = useRouter();
  const [edit, setEdit] = useState<PolicyDraft | null>(null);
  const draft = edit?.kind === kind ? edit : newDraft(kind, choices);
  const save = useAct(create ?? (() => Promise.reject(new Error("not allowed"))));
  const hasPreview = kind === "schedule" || kind === "idle_termination";
  return (
    <>
      <PageTitle title="New policy" meta={KIND_WHAT[kind]} />
      <TabLinks
        label="Kind of policy"
        links={POLICY_KINDS.map((one) => ({
          href: `/policies/new?kind=${one}` as Route,
          label: KIND_NAMES[one],
          isCurrent: one === kind,
        }))}
      />
      <Deck>
        <DeckColumn span={hasPreview ? 6 : 7}>
          <Panel title={KIND_NAMES[kind]}>
            <PolicyForm
              draft={draft}
              onChange={setEdit}
              onSave={() =>
                save.run(inputOf(draft), ({ id }) => {
                  toast("ok", "The policy watches from now on");
                  router.push(`/policies/${id}` as Route);
                })
              }
              isPending={save.isPending}
              failure={save.failure}
              choices={choices}
              canWrite={create !== null}
              remark={
                needsShadow(kind)
                  ? "It begins in shadow and only says what it would do."
                  : "One that only says so begins at once; one that launches is armed by an admin, without a week."
              }
            />
          </Panel>
        </DeckColumn>
        <DeckColumn span={hasPreview ? 6 : 5}>
          {hasPreview && <PolicyPreview draft={draft} />}
          <Panel title={needsShadow(kind) ? "In shadow for a week, then armed" : "What a watch that launches means"}>
            <ul className="policy-arming">
              {armingWords(kind).map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </Panel>
        </DeckColumn>
      </Deck>
    </>
  );
}
