"use client";

import { CirclePause, Eye, ShieldCheck, Trash2 } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useLive } from "@/components/page/use-live";
import { Confirm } from "@/components/settings/confirm";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { PageTitle } from "@/components/ui/page";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Age, Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";
import type { PolicyAnswer } from "@/lib/domain/policies/view";
import { armingWords, KIND_NAMES } from "@/lib/domain/policies/words";
import { policyChoicesQuery, policyQuery } from "@/lib/queries/policies";
import { ActsPanel } from "./acts-panel";
import { draftOf, inputOf, type NewPolicyInput, type PolicyDraft } from "./draft";
import { type Keep, OutlookPanel } from "./outlook-panel";
import { PolicyForm } from "./policy-form";
import { PolicyPreview } from "./policy-preview";
import { ModeBadge } from "./policy-words";

type Asked = { policyId: string; version: number };
type Verb = Act<Asked, { id: string }>;

export type PolicyVerbs = {
  change: Act<Asked & { policy: NewPolicyInput }, { id: string; restarted: boolean }>;
  pause: Verb;
  shadow: Verb;
  remove: Verb;
  /** Null: this role may not arm. */
  arm: Verb | null;
};

type Props = { policyId: string; verbs: PolicyVerbs | null; keep: Keep | null };

/** One policy: what it wants now and next, what it decided, what it would have done, and its text. */
export function PolicyRoom({ policyId, verbs, keep }: Props) {
  const { data } = useLive(policyQuery(policyId));
  const { data: choices } = useLive(policyChoicesQuery());
  const { policy } = data;
  const [edit, setEdit] = useState<PolicyDraft | null>(null);
  const draft = edit ?? draftOf(data.draft);
  const save = useAct(verbs?.change ?? (() => Promise.reject(new Error("not allowed"))));
  const hasPreview = policy.kind === "schedule" || policy.kind === "idle_termination";
  return (
    <>
      <PageTitle
        title={policy.name}
        badges={<ModeBadge mode={policy.mode} />}
        meta={
          <>
            <span>{KIND_NAMES[policy.kind]}</span>
            <span>version {policy.version}</span>
            <span className="muted">
              {policy.lookedAt === null ? (
                "has not looked yet"
              ) : (
                <>
                  looked <Age at={policy.lookedAt} />
                </>
              )}
            </span>
          </>
        }
        actions={verbs && <Actions data={data} verbs={verbs} />}
      />
      <Deck>
        <DeckColumn span={7}>
          <Panel title="What it does">
            <p className="policy-says">{policy.words}</p>
            <Stand data={data} />
          </Panel>
          <OutlookPanel policy={policy} automation={data.automation} keep={keep} />
          <ActsPanel acts={data.acts} />
          <Versions data={data} />
        </DeckColumn>
        <DeckColumn span={5}>
          <Panel title="Its text" sub={verbs ? undefined : "an operator or an admin changes it"}>
            <PolicyForm
              draft={draft}
              onChange={setEdit}
              onSave={() =>
                save.run({ policyId, version: policy.version, policy: inputOf(draft) }, ({ restarted }) => {
                  setEdit(null);
                  toast(
                    "ok",
                    "The policy is saved",
                    restarted ? "What it does has changed: another week in shadow begins." : "It goes on as it was.",
                  );
                })
              }
              isPending={save.isPending}
              failure={save.failure}
              choices={choices}
              canWrite={verbs !== null}
              remark="A change of what it does begins another week in shadow."
            />
          </Panel>
          {hasPreview && <PolicyPreview draft={draft} />}
        </DeckColumn>
      </Deck>
    </>
  );
}

function Stand({ data: { policy, now, automation } }: { data: PolicyAnswer }) {
  const { tally } = policy;
  const left = policy.armableAt - now;
  return (
    <div className="grid gap-2">
      {automation.stoppedAt !== null && (
        <Note tone="warn">
          <b>All automation is stopped.</b> It does nothing until somebody lets it go on.
        </Note>
      )}
      {policy.mode === "shadow" && (
        <Note tone="info" icon={Eye}>
          <b>
            In shadow since <Instant at={policy.shadowSince} />.
          </b>{" "}
          It would have acted {formatCount(tally.wouldAct, "time")} on {formatCount(tally.machines, "instance")} and
          saved {formatUsd(tally.savedMicros)}
          {tally.resumed > 0 && `; ${tally.resumed} of them had work again later`}.{" "}
          {left > 0 ? `Its week is over in ${formatDuration(left)}; nobody may arm it before.` : "It may be armed."}
        </Note>
      )}
      {policy.mode === "armed" && (
        <Note tone="ok" icon={ShieldCheck}>
          <b>
            Armed{policy.armedBy && ` by ${policy.armedBy}`}
            {policy.armedAt !== null && (
              <>
                , <Instant at={policy.armedAt} />
              </>
            )}
            .
          </b>{" "}
          It acts by itself, and never on what is protected or not heard.
        </Note>
      )}
      {policy.mode === "paused" && (
        <Note icon={CirclePause}>
          <b>Paused.</b> It neither acts nor watches.
        </Note>
      )}
    </div>
  );
}

function Actions({ data: { policy, now }, verbs }: { data: PolicyAnswer; verbs: PolicyVerbs }) {
  const router = useRouter();
  const asked = { policyId: policy.id, version: policy.version };
  const mayArm = policy.armableAt <= now;
  return (
    <>
      {policy.mode === "shadow" && verbs.arm && mayArm && (
        <Confirm
          trigger={
            <Button look="primary" icon={ShieldCheck}>
              Arm…
            </Button>
          }
          title={`Arm ${policy.name}?`}
          word="Arm it"
          done="The policy is armed"
          act={verbs.arm}
          input={asked}
        >
          <ul className="policy-arming">
            {armingWords(policy.kind).map((line) => (
              <li key={line}>{line}</li>
            ))}
            <li>
              In shadow it would have acted {formatCount(policy.tally.wouldAct, "time")}
              {policy.tally.resumed > 0 && `, ${policy.tally.resumed} of them on what had work again later`}.
            </li>
          </ul>
        </Confirm>
      )}
      {policy.mode === "shadow" && (!verbs.arm || !mayArm) && (
        <Button
          icon={ShieldCheck}
          disabled
          title={mayArm ? "An admin arms policies" : "Its week in shadow is not over; nobody may skip it"}
        >
          Arm…
        </Button>
      )}
      {policy.mode === "armed" && (
        <Turn verb={verbs.shadow} asked={asked} icon={Eye} word="Back into shadow" done="It only watches again" />
      )}
      {policy.mode === "paused" ? (
        <Turn verb={verbs.shadow} asked={asked} icon={Eye} word="Go on in shadow" done="It watches again" />
      ) : (
        <Turn verb={verbs.pause} asked={asked} icon={CirclePause} word="Pause" done="The policy is paused" />
      )}
      <Confirm
        trigger={
          <Button look="danger" icon={Trash2}>
            Delete…
          </Button>
        }
        title={`Delete ${policy.name}?`}
        word="Delete it"
        done="The policy is deleted"
        act={async (input: Asked) => {
          const result = await verbs.remove(input);
          if (result.ok) router.push("/policies" as Route);
          return result;
        }}
        input={asked}
      >
        It stops at once, and what it announced is taken back. What it did stays in Activity.
      </Confirm>
    </>
  );
}

type TurnProps = { verb: Verb; asked: Asked; icon: typeof Eye; word: string; done: string };

function Turn({ verb, asked, icon, word, done }: TurnProps) {
  const { run, failure, isPending } = useAct(verb);
  return (
    <>
      <Button icon={icon} isPending={isPending} onClick={() => run(asked, () => toast("ok", done))}>
        {word}
      </Button>
      <Refusal failure={failure} />
    </>
  );
}

function Versions({ data: { versions } }: { data: PolicyAnswer }) {
  if (versions.length < 2) return null;
  return (
    <Panel title="Versions">
      <ol className="policy-versions">
        {versions.map(({ version, at, by, words, mode, name }) => (
          <li key={version}>
            <span className="muted">
              {version}, <Instant at={at} />
              {by && `, ${by}`}
            </span>
            <span>
              {name} <ModeBadge mode={mode} />
              <small className="policy-sub">{words}</small>
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
