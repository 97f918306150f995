"use client";

import { Plus, Save, Trash2, Undo2 } from "lucide-react";
import { useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { toast } from "@/components/ui/toast";
import { dangersOf, FirewallRule, PROTOCOLS, ruleDiff, rulesText, ruleWords } from "@/lib/domain/cloud/firewall";
import type { RulesetRow } from "@/lib/domain/cloud/view";
import type { ChangeRules } from "./firewall-panel";

type Draft = {
  key: number;
  protocol: FirewallRule["protocol"];
  from: string;
  to: string;
  source: string;
  description: string;
};

const draftOf = (rule: FirewallRule, key: number): Draft => ({
  key,
  protocol: rule.protocol,
  from: String(rule.ports?.[0] ?? ""),
  to: String(rule.ports?.[1] ?? ""),
  source: rule.source,
  description: rule.description,
});

const readDraft = ({ protocol, from, to, source, description }: Draft) =>
  FirewallRule.safeParse({ protocol, ports: protocol === "icmp" ? null : [from, to || from], source, description });

type Props = { ruleset: RulesetRow; change: ChangeRules; isLocked: boolean; onChanged: () => void };

/** One set of rules: as it is, as it shall be, and the difference in words before it counts. */
export function Ruleset({ ruleset, change, isLocked, onChanged }: Props) {
  const [drafts, setDrafts] = useState<Draft[] | null>(null);
  const { run, failure, isPending, clear } = useAct(change);
  const { name, region, rules } = ruleset;
  const where = region === null ? "everywhere" : `in ${region}`;
  const leave = () => {
    setDrafts(null);
    clear();
  };
  return (
    <section aria-label={name} className="grid gap-2">
      <h3 className="font-medium">
        {name} <span className="muted">{where}</span>
      </h3>
      {drafts === null ? (
        <>
          {rules.length === 0 && <p className="muted">Nothing may come in.</p>}
          <ul className="grid gap-1">
            {rules.map((rule) => (
              <li key={ruleWords(rule)} className="mono">
                {ruleWords(rule)}
              </li>
            ))}
          </ul>
          {!isLocked && (
            <div>
              <Button size="small" onClick={() => setDrafts(rules.map(draftOf))}>
                Change the rules
              </Button>
            </div>
          )}
        </>
      ) : (
        <Editor
          rules={rules}
          drafts={drafts}
          setDrafts={setDrafts}
          isPending={isPending}
          refusal={<Refusal failure={failure} />}
          leave={leave}
          save={(wanted) =>
            run({ rulesetId: ruleset.id, seen: rulesText(rules), rules: wanted }, () => {
              toast("ok", "The rules are in force");
              leave();
              onChanged();
            })
          }
        />
      )}
    </section>
  );
}

type EditorProps = {
  rules: readonly FirewallRule[];
  drafts: Draft[];
  setDrafts: (drafts: Draft[]) => void;
  isPending: boolean;
  refusal: React.ReactNode;
  leave: () => void;
  save: (rules: FirewallRule[]) => void;
};

function Editor({ rules, drafts, setDrafts, isPending, refusal, leave, save }: EditorProps) {
  const read = drafts.map(readDraft);
  const wanted = read.flatMap((one) => (one.success ? [one.data] : []));
  const isWhole = wanted.length === drafts.length;
  const { added, removed } = ruleDiff(rules, wanted);
  const isChanged = added.length > 0 || removed.length > 0;
  const edit = (key: number, part: Partial<Draft>) =>
    setDrafts(drafts.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const next = Math.max(-1, ...drafts.map(({ key }) => key)) + 1;
  return (
    <div className="grid gap-3">
      {drafts.map((draft, i) => (
        <RuleFields
          key={draft.key}
          draft={draft}
          place={i + 1}
          problem={read[i]?.error?.issues[0]?.message ?? null}
          edit={(part) => edit(draft.key, part)}
          remove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
        />
      ))}
      <div>
        <Button
          size="small"
          icon={Plus}
          onClick={() =>
            setDrafts([...drafts, { key: next, protocol: "tcp", from: "", to: "", source: "", description: "" }])
          }
        >
          Add a rule
        </Button>
      </div>
      {isWhole && isChanged && (
        <section aria-label="What would change" className="grid gap-1">
          {added.map((rule) => (
            <p key={`+ ${ruleWords(rule)}`}>
              <Badge tone="ok">Opens</Badge> <span className="mono">{ruleWords(rule)}</span>
            </p>
          ))}
          {removed.map((rule) => (
            <p key={`- ${ruleWords(rule)}`}>
              <Badge tone="warn">Closes</Badge> <span className="mono">{ruleWords(rule)}</span>
            </p>
          ))}
          {dangersOf(rules, wanted).map((danger) => (
            <Note key={danger} tone="warn">
              {danger}
            </Note>
          ))}
        </section>
      )}
      {refusal}
      <div className="flex flex-wrap gap-3">
        <Button
          look="primary"
          icon={Save}
          disabled={!isWhole || !isChanged}
          isPending={isPending}
          onClick={() => save(wanted)}
        >
          Put in force
        </Button>
        <Button icon={Undo2} onClick={leave}>
          Leave as it is
        </Button>
      </div>
    </div>
  );
}

type FieldsProps = {
  draft: Draft;
  place: number;
  problem: string | null;
  edit: (part: Partial<Draft>) => void;
  remove: () => void;
};

function RuleFields({ draft, place, problem, edit, remove }: FieldsProps) {
  const hasPorts = draft.protocol !== "icmp";
  return (
    <fieldset className="firewall-rule">
      <legend className="sr-only">Rule {place}</legend>
      <SelectField
        label="Protocol"
        value={draft.protocol}
        onChange={({ target }) => edit({ protocol: PROTOCOLS.find((one) => one === target.value) ?? "tcp" })}
      >
        {PROTOCOLS.map((one) => (
          <option key={one} value={one}>
            {one === "all" ? "any" : one.toUpperCase()}
          </option>
        ))}
      </SelectField>
      <TextField
        label="From port"
        inputMode="numeric"
        value={hasPorts ? draft.from : ""}
        disabled={!hasPorts}
        onChange={({ target }) => edit({ from: target.value })}
      />
      <TextField
        label="To port"
        inputMode="numeric"
        value={hasPorts ? draft.to : ""}
        placeholder={hasPorts ? draft.from : ""}
        disabled={!hasPorts}
        onChange={({ target }) => edit({ to: target.value })}
      />
      <TextField
        label="From network"
        value={draft.source}
        placeholder="203.0.113.0/24"
        onChange={({ target }) => edit({ source: target.value })}
      />
      <TextField
        label="What for"
        maxLength={128}
        value={draft.description}
        onChange={({ target }) => edit({ description: target.value })}
      />
      <Button look="ghost" icon={Trash2} aria-label={`Remove rule ${place}`} onClick={remove} />
      {problem !== null && (
        <p className="field-error firewall-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  );
}
