"use client";

import { useSuspenseQuery } from "@tanstack/react-query";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { PageTitle } from "@/components/ui/page";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Age, Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { draftOf, inputOf, NEW_DRAFT, type RuleDraft } from "@/lib/domain/alerts/draft";
import type { RuleAnswer } from "@/lib/domain/alerts/rule-view";
import { ruleFormQuery, ruleQuery } from "@/lib/queries/alerts";
import { KeptBacktestPanel, RuleBacktest } from "./rule-backtest";
import { RuleDelete } from "./rule-delete";
import { RuleForm } from "./rule-form";
import { RulePreview } from "./rule-preview";
import { ChangesPanel, HearsPanel, RecentPanel } from "./rule-side";
import { RuleSwitch, type TurnVerb } from "./rule-switch";
import { useVerb, type Verb } from "./use-verb";

export type RuleInput = ReturnType<typeof inputOf>;

const RULES = "/alerts/rules" as Route;

/** A rule that does not exist yet. */
export function NewRule({ create }: { create: Verb<RuleInput> }) {
  const router = useRouter();
  const [draft, setDraft] = useState<RuleDraft>(NEW_DRAFT);
  const save = useVerb(create, ({ id }) => {
    toast("ok", "The rule is on", "It is judged at its next slot.");
    router.push(`/alerts/rules/${id}` as Route);
  });
  return (
    <>
      <PageTitle
        title="New rule"
        meta={
          <>
            <AllRules />
            <span>It watches from its next slot on; nothing of the past fires.</span>
          </>
        }
      />
      <Body draft={draft} onChange={setDraft} save={save} run={() => save.run(inputOf(draft))} rule={null} canWrite />
    </>
  );
}

type StoredProps = {
  ruleId: string;
  /** Null: this role sees rules and does not change them. */
  verbs: {
    change: Verb<RuleInput & { ruleId: string }>;
    turn: TurnVerb;
    remove: Verb<{ ruleId: string }>;
  } | null;
};

const NO_CHANGE: Verb<RuleInput & { ruleId: string }> = () => Promise.reject(new Error("This role changes no rules"));

/** A rule that is judged: its text, what it found, who changed it. */
export function StoredRule({ ruleId, verbs }: StoredProps) {
  const { data } = useLive(ruleQuery({ ruleId }));
  const { rule } = data;
  // A draft belongs to the version that it began with; another version on the server is told, not laid over it.
  const [edited, setEdited] = useState<{ version: number; draft: RuleDraft } | null>(null);
  const draft = edited?.draft ?? draftOf(rule);
  const save = useVerb(verbs?.change ?? NO_CHANGE, () => {
    setEdited(null);
    toast("ok", "Saved", "The rule is judged by its new text from its next slot on.");
  });
  return (
    <>
      <PageTitle
        title={rule.name}
        badges={
          <>
            {rule.isDefault && <Badge tone="plain">{rule.version > 1 ? "Default, changed" : "Default"}</Badge>}
            {!rule.enabled && <Badge tone="mute">Off</Badge>}
            {edited && <Badge tone="info">Not saved yet</Badge>}
          </>
        }
        meta={
          <>
            <AllRules />
            <span>
              version {rule.version}, since <Instant at={rule.updatedAt} />
            </span>
            {rule.enabled && (
              <span>{rule.judgedAt === null ? "not judged yet" : <JudgedWords at={rule.judgedAt} />}</span>
            )}
            {rule.lastError !== null && <span className="text-crit">{rule.lastError}</span>}
            {edited && edited.version !== rule.version && (
              <span className="text-warn">somebody changed it while you write; saving replaces their version</span>
            )}
          </>
        }
        actions={
          verbs && (
            <>
              <RuleSwitch rule={rule} verb={verbs.turn} />
              <RuleDelete rule={rule} verb={verbs.remove} after={RULES} />
            </>
          )
        }
      />
      <Body
        draft={draft}
        onChange={(next) => setEdited({ version: edited?.version ?? rule.version, draft: next })}
        save={save}
        run={() => save.run({ ...inputOf({ ...draft, enabled: rule.enabled }), ruleId })}
        rule={data}
        canWrite={verbs !== null}
      />
    </>
  );
}

function AllRules() {
  return (
    <Link className="link" href={RULES}>
      All rules
    </Link>
  );
}

function JudgedWords({ at }: { at: number }) {
  return (
    <>
      judged <Age at={at} />
    </>
  );
}

type BodyProps = {
  draft: RuleDraft;
  onChange: (draft: RuleDraft) => void;
  save: Pick<ReturnType<typeof useVerb>, "isPending" | "failure">;
  run: () => void;
  rule: RuleAnswer | null;
  canWrite: boolean;
};

/** The form left, what follows from it right. */
function Body({ draft, onChange, save, run, rule, canWrite }: BodyProps) {
  const { data: form } = useSuspenseQuery(ruleFormQuery());
  return (
    <Deck>
      <DeckColumn span={4}>
        <Panel title="Condition">
          <RuleForm
            draft={draft}
            onChange={onChange}
            onSave={run}
            isPending={save.isPending}
            failure={save.failure}
            known={form.known}
            isStored={rule !== null}
            canWrite={canWrite}
          />
        </Panel>
      </DeckColumn>
      <DeckColumn span={8}>
        {canWrite && <RuleBacktest draft={draft} onChange={onChange} />}
        <RulePreview draft={draft} />
        {rule?.backtest && <KeptBacktestPanel kept={rule.backtest} />}
        <HearsPanel channels={form.channels} severity={draft.severity} />
        {rule && <RecentPanel recent={rule.recent} />}
        {rule && <ChangesPanel changes={rule.changes} />}
      </DeckColumn>
    </Deck>
  );
}
