"use client";

import { Trash2 } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { useOptimistic, useState } from "react";
import { useQuestion } from "@/components/cost/use-question";
import { useLive } from "@/components/page/use-live";
import { useAct } from "@/components/settings/use-act";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { CopyButton } from "@/components/ui/copy-button";
import { Note } from "@/components/ui/note";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { TableLinks } from "@/components/ui/table-links";
import { toast } from "@/components/ui/toast";
import { formatUsd } from "@/lib/domain/format";
import type { ScenariosAnswer } from "@/lib/domain/plan/scenario-view";
import { KIND_WORDS, type ScenarioKind } from "@/lib/domain/plan/scenarios";
import { scenariosQuery } from "@/lib/queries/plan";
import { Formula } from "./formula";
import { type Column, ScenarioCompare } from "./scenario-compare";
import { BudgetDialog, SaveDialog, type ScenarioActs } from "./scenario-dialogs";
import { BLANKS, type Draft, workedOut } from "./scenario-draft";
import { ScenarioForm } from "./scenario-form";

type Props = { acts: ScenarioActs; canWrite: boolean; canBudget: boolean; canExport: boolean };

/** Scenarios: the list, the one that is open, and some beside each other. The address says which. */
export function ScenarioRoom({ acts, canWrite, canBudget, canExport }: Props) {
  const { data, failure } = useLive(scenariosQuery());
  const { ask } = useQuestion();
  const given = useSearchParams();
  const shown = given.get("show") ?? data.scenarios[0]?.id ?? data.examples[0]?.key ?? "";
  const [chosen, choose] = useOptimistic((given.get("with") ?? "").split(",").filter(Boolean));
  const columns = columnsOf(data, chosen);
  const opened = draftOf(data, shown);
  return (
    <Deck>
      {failure && (
        <div className="s12 plan-notes">
          <Note tone="warn">The scenarios could not be read anew; these are the last ones.</Note>
        </div>
      )}
      <DeckColumn span={4}>
        <ListPanel
          data={data}
          shown={shown}
          chosen={chosen}
          canExport={canExport}
          onShow={(key) => ask({ show: key })}
          onChoose={(keys) => ask({ with: keys.length > 0 ? keys.join(",") : undefined }, () => choose(keys))}
        />
      </DeckColumn>
      {opened ? (
        <OpenPanel
          key={`${shown} ${opened.version}`}
          opened={opened}
          startsBlank={NEW.test(shown)}
          data={data}
          acts={acts}
          canWrite={canWrite}
          canBudget={canBudget}
          onShow={(key) => ask({ show: key })}
        />
      ) : (
        <Panel span={8} title="Not found">
          <Note tone="warn">There is no such scenario, or it is not shared with you. Choose one from the list.</Note>
        </Panel>
      )}
      {columns.length > 1 && <ScenarioCompare columns={columns} />}
    </Deck>
  );
}

function columnsOf({ scenarios, examples }: ScenariosAnswer, keys: readonly string[]): Column[] {
  const all = [
    ...scenarios.map(({ id, name, result }) => ({ key: id, name, result })),
    ...examples.map(({ key, name, result }) => ({ key, name, result })),
  ];
  return keys.flatMap((key) => all.find((one) => one.key === key) ?? []);
}

const NEW = /^new-(costs|move|training)$/;

function draftOf({ scenarios, examples }: ScenariosAnswer, key: string): Draft | null {
  const kept = scenarios.find(({ id }) => id === key);
  if (kept) return kept;
  const fresh = { id: null, version: 0, isShared: false, isOwn: true, owner: null };
  const example = examples.find((one) => one.key === key);
  if (example) return { ...fresh, name: example.name, body: example.body };
  const kind = NEW.exec(key)?.[1];
  const blank = kind === "costs" || kind === "move" || kind === "training" ? BLANKS[kind] : null;
  return blank && { ...fresh, name: KIND_WORDS[blank.kind], body: blank };
}

type ListProps = {
  data: ScenariosAnswer;
  shown: string;
  chosen: readonly string[];
  canExport: boolean;
  onShow: (key: string) => void;
  onChoose: (keys: string[]) => void;
};

function ListPanel({ data, shown, chosen, canExport, onShow, onChoose }: ListProps) {
  const toggle = (key: string) =>
    onChoose(chosen.includes(key) ? chosen.filter((one) => one !== key) : [...chosen, key].slice(-4));
  const line = (key: string, name: string, about: string) => (
    <li key={key} className={key === shown ? "scenario-item is-shown" : "scenario-item"}>
      <Checkbox
        checked={chosen.includes(key)}
        onChange={() => toggle(key)}
        aria-label={`Compare ${name}`}
        label={<span className="sr-only">Compare {name}</span>}
      />
      <button type="button" className="scenario-open" aria-current={key === shown} onClick={() => onShow(key)}>
        <b>{name}</b>
        <small className="muted">{about}</small>
      </button>
    </li>
  );
  return (
    <>
      <Panel
        isFlush
        title="Scenarios"
        sub="tick up to four to compare"
        actions={
          canExport &&
          data.scenarios.length > 0 && (
            <span className="not-phone">
              <TableLinks href="/api/v1/plan/scenarios" what="The scenarios" />
            </span>
          )
        }
      >
        {data.scenarios.length === 0 ? (
          <p className="muted panel-words">
            None is kept yet. Begin with an example or a new one, and save it by name.
          </p>
        ) : (
          <ul className="scenario-list">
            {data.scenarios.map(({ id, name, owner, isOwn, isShared, result }) =>
              line(
                id,
                name,
                [
                  result.monthlyMicros === null ? "not of months" : `${formatUsd(result.monthlyMicros)} a month`,
                  isOwn ? (isShared ? "yours, shared" : "yours") : `of ${owner ?? "somebody"}`,
                ].join(" · "),
              ),
            )}
          </ul>
        )}
        <div className="plan-controls">
          {(["costs", "move", "training"] as const).map((kind) => (
            <Button key={kind} size="small" onClick={() => onShow(`new-${kind}`)}>
              {NEW_WORDS[kind]}
            </Button>
          ))}
        </div>
      </Panel>
      <Panel isFlush title="Examples" sub="from the requirements, put right">
        <ul className="scenario-list">{data.examples.map(({ key, name, about }) => line(key, name, about))}</ul>
      </Panel>
    </>
  );
}

const NEW_WORDS: Record<ScenarioKind, string> = {
  costs: "New: machines",
  move: "New: a move",
  training: "New: a training",
};

type OpenProps = {
  opened: Draft;
  /** Begun anew: its numbers are what somebody wants to type first. */
  startsBlank: boolean;
  data: ScenariosAnswer;
  acts: ScenarioActs;
  canWrite: boolean;
  canBudget: boolean;
  onShow: (key: string) => void;
};

function OpenPanel({ opened, startsBlank, data, acts, canWrite, canBudget, onShow }: OpenProps) {
  // An answer read anew is another object with the same numbers: what counts as changed is what was typed.
  const [typed, type] = useState<Draft["body"] | null>(null);
  const body = typed ?? opened.body;
  const [isOpen, setOpen] = useState<"figures" | "numbers">(startsBlank ? "numbers" : "figures");
  const result = workedOut(body, data.day);
  const isKept = opened.id !== null;
  const isChanged = typed !== null;
  const { run, isPending } = useAct(acts.remove);
  const link = typeof window === "undefined" ? "" : `${window.location.origin}/plan/scenarios?show=${opened.id}`;
  return (
    <Panel
      span={8}
      title={opened.name}
      sub={isChanged ? "changed, not saved" : KIND_WORDS[body.kind]}
      actions={
        <>
          {isKept && opened.isShared && <CopyButton text={link} what="the link of the scenario" word="Copy link" />}
          {canBudget && isKept && !isChanged && typeof result !== "string" && result.monthlyMicros !== null && (
            <BudgetDialog
              id={opened.id ?? ""}
              name={opened.name}
              monthly={formatUsd(result.monthlyMicros)}
              known={data.known}
              act={acts.toBudget}
            />
          )}
          {canWrite && typeof result !== "string" && (
            <SaveDialog draft={{ ...opened, body }} acts={acts} onKept={onShow} />
          )}
          {canWrite && opened.id !== null && opened.isOwn && (
            <IconButton
              size="small"
              icon={Trash2}
              label={`Remove ${opened.name}`}
              isPending={isPending}
              onClick={() =>
                run({ id: opened.id ?? "" }, () => {
                  toast("ok", "Removed", "It stays in the audit trail.");
                  onShow(data.examples[0]?.key ?? "");
                })
              }
            />
          )}
        </>
      }
    >
      <div className="grid justify-items-start gap-4 *:not-first:w-full">
        <Segmented
          label="What is shown"
          options={[
            { value: "figures", label: "What it comes to" },
            { value: "numbers", label: "Its numbers" },
          ]}
          value={isOpen}
          onChange={setOpen}
        />
        {isOpen === "numbers" && <ScenarioForm body={body} onChange={type} />}
        {typeof result === "string" ? (
          <Note tone="warn">{result}</Note>
        ) : (
          <>
            <dl className="scenario-figures">
              {result.figures.map((figure, i) => (
                <div key={figure.name} className={i === 0 ? "is-first" : undefined}>
                  <dt>{figure.name}</dt>
                  <dd>
                    <Formula figure={figure} align="start" />
                  </dd>
                </div>
              ))}
            </dl>
            {result.oldPrices > 0 && (
              <Note tone="warn">
                Prices that are older than 30 days or have no day: {result.oldPrices} of {result.prices.length}.{" "}
                {result.prices.map(({ name, asOf, source }) => `${name}: ${source}, ${asOf ?? "no date"}`).join("; ")}.
              </Note>
            )}
            {result.notes.map((note) => (
              <Note key={note}>{note}</Note>
            ))}
          </>
        )}
      </div>
    </Panel>
  );
}
