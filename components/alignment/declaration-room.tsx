"use client";

import { useQueryClient } from "@tanstack/react-query";
import { FileDiff as DiffIcon, History, Save, ServerCog } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { FileField } from "@/components/page/file-text";
import { useLive } from "@/components/page/use-live";
import { type Act, useAct } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TextAreaField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Beginning, DeclarationAnswer, DeclarationPreview } from "@/lib/domain/alignment/view";
import { declarationQuery, draftQuery } from "@/lib/queries/alignment";
import { PreviewPanel } from "./declaration-preview";

export type DeclarationActs = {
  preview: Act<{ yaml: string }, DeclarationPreview>;
  save: Act<{ yaml: string; note: string; base: number }, { version: number }>;
  restore: Act<{ version: number; base: number }, { version: number }>;
};

type Props = { acts: DeclarationActs | null; beginning: Beginning };

/** The declared fleet as text: written, looked at, and only then declared. */
export function DeclarationRoom({ acts, beginning }: Props) {
  const { data } = useLive(declarationQuery());
  return (
    <Deck>
      {acts ? (
        <Editor data={data} acts={acts} beginning={beginning} />
      ) : (
        <Panel span={8} title="The document">
          {data.yaml === "" ? (
            <p className="muted">Nothing is declared yet. Operators and admins declare the fleet.</p>
          ) : (
            <pre className="mono overflow-x-auto text-12">{data.yaml}</pre>
          )}
        </Panel>
      )}
      <DeckColumn span={4}>
        <VersionsPanel data={data} restore={acts?.restore ?? null} />
        <WordsPanel />
      </DeckColumn>
    </Deck>
  );
}

function Editor({ data, acts, beginning }: { data: DeclarationAnswer; acts: DeclarationActs; beginning: Beginning }) {
  const client = useQueryClient();
  const router = useRouter();
  const [text, setText] = useState(data.yaml);
  const [note, setNote] = useState("");
  const [shown, setShown] = useState<{ of: string; preview: DeclarationPreview } | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const area = useRef<HTMLFormElement>(null);
  const look = useAct(acts.preview);
  const save = useAct(acts.save);
  const preview = shown?.of === text ? shown.preview : null;
  const isChanged = text !== data.yaml;
  const failure = save.failure ?? look.failure;

  const show = (of: string) => look.run({ yaml: of }, (found) => setShown({ of, preview: found }));
  const fill = async (group: string | null) => {
    setRefusal(null);
    try {
      const draft = await client.fetchQuery(draftQuery(group));
      setText(draft.yaml);
      show(draft.yaml);
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : "It could not be written.");
    }
  };

  const begun = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address says it once, when the page opens
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    if (beginning.from === "now") void fill(null);
    else if (beginning.group !== null) void fill(beginning.group);
    if (beginning.line !== null) selectLine(area.current, beginning.line);
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!preview || preview.problems.length > 0) return show(text);
    save.run({ yaml: text, note, base: data.version ?? 0 }, ({ version }) => {
      toast("ok", `Version ${version} is declared`, "Differences that two polls agree in are findings.");
      setShown(null);
      setNote("");
      router.push("/alignment" as Route);
    });
  };
  return (
    <Panel
      span={8}
      title="The document"
      sub={
        data.version === null
          ? "nothing is declared yet"
          : `version ${data.version}${isChanged ? ", changed here" : ""}`
      }
      actions={
        <Button size="small" icon={ServerCog} onClick={() => void fill(null)}>
          Declare what runs now
        </Button>
      }
    >
      <form className="declaration-editor grid gap-4" onSubmit={submit} noValidate ref={area}>
        {failure && (
          <Note tone="crit">
            <b>Nothing was declared.</b> {failure.message}
          </Note>
        )}
        {refusal && <Note tone="warn">{refusal}</Note>}
        <TextAreaField
          label="Declared fleet, YAML"
          name="yaml"
          spellCheck={false}
          wrap="off"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <FileField label="Or take a file" accept=".yml,.yaml,application/yaml" onText={setText} />
        {preview && <PreviewPanel preview={preview} onLine={(line) => selectLine(area.current, line)} />}
        <TextField
          label="What this version is for"
          name="note"
          maxLength={500}
          value={note}
          placeholder="GH200 instead of H200, after the report of January"
          hint="Optional. It stands in the history."
          onChange={(event) => setNote(event.target.value)}
        />
        <div className="flex flex-wrap gap-3">
          <Button
            look={preview && preview.problems.length === 0 ? "secondary" : "primary"}
            icon={DiffIcon}
            isPending={look.isPending}
            onClick={() => show(text)}
          >
            Show what changes
          </Button>
          {preview && preview.problems.length === 0 && isChanged && (
            <Button look="primary" type="submit" icon={Save} isPending={save.isPending}>
              {`Declare version ${(data.version ?? 0) + 1}`}
            </Button>
          )}
        </div>
      </form>
    </Panel>
  );
}

/** Puts the cursor on a line, and the line into view. */
function selectLine(root: HTMLElement | null, line: number): void {
  const area = root?.querySelector("textarea");
  if (!area) return;
  const before = area.value.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, 0);
  const end = area.value.indexOf("\n", start);
  area.focus();
  area.setSelectionRange(start, end < 0 ? area.value.length : end);
  const height = Number.parseFloat(getComputedStyle(area).lineHeight) || 18;
  area.scrollTop = Math.max(0, (line - 6) * height);
}

function VersionsPanel({ data, restore }: { data: DeclarationAnswer; restore: DeclarationActs["restore"] | null }) {
  return (
    <Panel title="History" sub="every version stays">
      {data.versions.length === 0 ? (
        <p className="muted">No version yet.</p>
      ) : (
        <ul className="grid gap-3">
          {data.versions.map((one) => (
            <li key={one.version} className="flex items-start justify-between gap-3">
              <span className="grid min-w-0">
                <span>
                  <b>Version {one.version}</b> {one.isCurrent && <Badge tone="ok">holds</Badge>}
                </span>
                <span className="muted">
                  <Instant at={one.at} year />, {one.by}
                </span>
                {one.note && <span className="break-words">{one.note}</span>}
              </span>
              {restore && !one.isCurrent && (
                <RestoreButton restore={restore} version={one.version} base={data.version ?? 1} />
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function RestoreButton({
  restore,
  version,
  base,
}: {
  restore: DeclarationActs["restore"];
  version: number;
  base: number;
}) {
  const router = useRouter();
  const { run, isPending, failure } = useAct(restore);
  return (
    <span className="grid justify-items-end gap-1">
      <Button
        size="small"
        icon={History}
        isPending={isPending}
        onClick={() =>
          run({ version, base }, (made) => {
            toast(
              "ok",
              `Version ${version} holds again`,
              `As version ${made.version}; nothing of the history is lost.`,
            );
            router.push("/alignment" as Route);
          })
        }
      >
        Restore
      </Button>
      {failure && <span className="field-error">{failure.message}</span>}
    </span>
  );
}

function WordsPanel() {
  return (
    <Panel title="How it is read">
      <ul className="grid list-disc gap-2 pl-4 text-text-2">
        <li>
          A group means the machines of its <code className="mono">instanceType</code>, or those that{" "}
          <code className="mono">match</code> names: <code className="mono">names</code>,{" "}
          <code className="mono">instanceTypes</code>, <code className="mono">regions</code>,{" "}
          <code className="mono">tags</code>, with * for anything.
        </li>
        <li>
          Memory and pools are in GB as GPUs are sold: a GH200 has 96. What the driver reports in MiB is never
          converted; a table of models says which size it is.
        </li>
        <li>
          Pools beyond the memory are wrong; more than 5 % that no pool claims is a note. A pool may name its{" "}
          <code className="mono">workload</code>, its <code className="mono">processes</code> (then its head-room is
          told), and its <code className="mono">tier</code>, a word such as L0.
        </li>
        <li>
          <code className="mono">pricePerHour</code> is of one machine. Plans are reckoned with{" "}
          <code className="mono">hoursPerMonth</code>, 720 or 730.
        </li>
        <li>
          Machines of no group are findings, unless <code className="mono">undeclared: ignore</code>.
        </li>
      </ul>
    </Panel>
  );
}
