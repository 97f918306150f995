"use client";

import { FileDiff as DiffIcon, Download, Save } from "lucide-react";
import { type FormEvent, useState } from "react";
import { FileText } from "@/components/page/file-text";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/note";
import { Deck, Panel } from "@/components/ui/panel";
import { toast } from "@/components/ui/toast";
import type { FileChange, FileDiff } from "@/lib/domain/alerts/file-plan";
import { useVerb, type Verb } from "./use-verb";

type Props = {
  /** Null: this role changes no rules. */
  verbs: {
    preview: Verb<{ text: string }, FileDiff>;
    take: Verb<{ text: string }, { created: number; changed: number }>;
  } | null;
};

/** Rules, routes, silences and budgets out as a file, and in again: first what would change, then the change. */
export function RuleFilePanel({ verbs }: Props) {
  return (
    <Deck>
      <Panel span={12} title="Out">
        <div className="flex flex-wrap gap-3">
          <a className="btn" href="/api/v1/rules/file" download>
            <Download size={14} aria-hidden="true" />
            Everything, YAML
          </a>
          <a className="btn" href="/api/v1/rules/prometheus" download>
            <Download size={14} aria-hidden="true" />
            For Prometheus
          </a>
        </div>
        <p className="muted pt-2">
          The first holds rules, routes, silences and budgets. The file for Prometheus holds the rules that PromQL can
          say over this product’s metrics page; it names the others and why they are not in it.
        </p>
      </Panel>
      <Panel span={12} title="In">
        {verbs ? <TakeIn {...verbs} /> : <p className="muted">Your role reads rules and does not change them.</p>}
      </Panel>
    </Deck>
  );
}

function TakeIn({ preview, take }: NonNullable<Props["verbs"]>) {
  const [text, setText] = useState("");
  const [diff, setDiff] = useState<{ of: string; diff: FileDiff } | null>(null);
  const look = useVerb(preview, (found) => setDiff({ of: text, diff: found }));
  const save = useVerb(take, ({ created, changed }) => {
    toast("ok", "The file was taken in", `${created} new, ${changed} changed.`);
    setDiff(null);
  });
  const shown = diff?.of === text ? diff.diff : null;
  const changes = shown?.changes.filter(({ kind }) => kind === "new" || kind === "changed").length ?? 0;
  const isRefused = shown?.changes.some(({ kind }) => kind === "refused") ?? false;
  const failure = save.failure ?? look.failure;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (shown && changes > 0 && !isRefused) save.run({ text });
    else look.run({ text });
  };
  return (
    <form className="grid gap-4" onSubmit={submit} noValidate>
      {failure && <Note tone="crit">{failure.message}</Note>}
      <FileText
        label="Or paste it"
        accept=".yml,.yaml,.json,application/yaml"
        rows={12}
        text={text}
        onChange={setText}
        hint="The YAML from above, or a rule file of Prometheus. What it does not name stays as it is; a silence that stands is ended by people only."
        error={failure?.fields.text}
      />
      {shown && <DiffList diff={shown} />}
      <div className="flex gap-3">
        <Button
          look={changes > 0 && !isRefused ? "secondary" : "primary"}
          type="button"
          icon={DiffIcon}
          isPending={look.isPending}
          onClick={() => look.run({ text })}
        >
          Show what would change
        </Button>
        {shown && changes > 0 && !isRefused && (
          <Button look="primary" type="submit" icon={Save} isPending={save.isPending}>
            {`Take in ${changes === 1 ? "one change" : `${changes} changes`}`}
          </Button>
        )}
      </div>
    </form>
  );
}

const KINDS: Record<FileChange["kind"], { word: string; tone: "ok" | "info" | "mute" | "crit" | "warn" }> = {
  new: { word: "New", tone: "ok" },
  changed: { word: "Changed", tone: "info" },
  same: { word: "As it is", tone: "mute" },
  refused: { word: "Refused", tone: "crit" },
  left_out: { word: "Left out", tone: "warn" },
};

function DiffList({ diff }: { diff: FileDiff }) {
  const same = diff.changes.filter(({ kind }) => kind === "same").length;
  const told = diff.changes.filter(({ kind }) => kind !== "same");
  return (
    <section aria-label="What would change" className="grid gap-2">
      {told.length === 0 && <p className="muted">The file changes nothing.</p>}
      <ul className="grid gap-2">
        {told.map((change) => (
          <li key={`${change.of} ${change.kind} ${change.name}`}>
            <Badge tone={KINDS[change.kind].tone}>{KINDS[change.kind].word}</Badge>{" "}
            <span className="muted">{change.of}</span> <b>{change.name}</b>
            {change.details.length > 0 && (
              <ul className="muted mono pl-4">
                {change.details.map((detail) => (
                  <li key={detail} className="break-words">
                    {detail}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
      <p className="muted">
        {same} as they are, {diff.untouched.length} not in the file.
      </p>
    </section>
  );
}
