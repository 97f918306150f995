"use client";

import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { LOOSE_CHARGES, NOBODY, type OwnerWords, type Selector, type SplitMethod } from "@/lib/domain/cost/allocation";
import type { AllocationAnswer, RuleDraft, RulePreview } from "@/lib/domain/cost/allocation-view";
import { formatCount, formatUsd } from "@/lib/domain/format";
import { OwnerFields } from "./assign-dialog";
import type { RuleActs } from "./rules-panel";
import { monthName } from "./words";

export type RuleStart = { name: string; selector: Selector; words: OwnerWords | null };

type Props = { start: RuleStart; data: AllocationAnswer; acts: RuleActs; onClose: () => void };

/** What a rule goes by, one at a time in the form; the interface takes several together. */
const ABOUTS = [
  { value: "name", label: "Name", hint: "* is anything, ? is one character: train-*" },
  { value: "type", label: "Type", hint: "gpu_1x_a10, or gpu_8x_*" },
  { value: "tag", label: "Label or tag", hint: "team=research, cost_center=47*" },
  { value: "kind", label: "Kind", hint: "" },
  { value: "one", label: "One resource", hint: "" },
  { value: "workspace", label: "Workspace", hint: "" },
  { value: "charges", label: "Charge of no machine", hint: "" },
  { value: "all", label: "Everything else", hint: "" },
] as const;
type About = (typeof ABOUTS)[number]["value"];

const METHODS: Record<SplitMethod, string> = {
  whole: "One payer",
  gpu_minutes: "Shared by GPU-minutes",
  even: "Shared evenly",
  fixed: "Shared by fixed parts",
};

type Share = { id: string; words: OwnerWords; pct: string };

/** A new rule, with what it would move before it is saved. */
export function RuleDialog({ start, data, acts, onClose }: Props) {
  const form = useId();
  const [name, setName] = useState(start.name);
  const [about, setAbout] = useState<About>(start.selector.charges ? "charges" : "name");
  const [text, setText] = useState(start.selector.name ?? start.selector.charges?.[0] ?? "");
  const [method, setMethod] = useState<SplitMethod>(start.selector.charges ? "gpu_minutes" : "whole");
  const [shares, setShares] = useState<Share[]>([{ id: "first", words: start.words ?? NOBODY, pct: "" }]);
  const [from, setFrom] = useState<"month" | "now">("month");
  const [shown, setShown] = useState<RulePreview | null>(null);
  const create = useAct(acts.create);
  const preview = useAct(acts.preview);
  const failure = create.failure ?? preview.failure;

  /** What was shown is of the rule as it was. */
  const changed = () => {
    setShown(null);
    create.clear();
    preview.clear();
  };
  const draft = (): RuleDraft => ({
    name,
    selector: selectorOf(about, text, data),
    method,
    shares: sharesOf(shares, method),
    from: from === "month" ? data.from : data.now,
    month: data.month,
  });
  const hint = ABOUTS.find(({ value }) => value === about)?.hint;

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="New rule"
      about="It is asked after the rules that are there; what labels set by hand say stays."
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          <Button isPending={preview.isPending} onClick={() => preview.run(draft(), setShown)}>
            What would it move?
          </Button>
          <Button look="primary" type="submit" form={form} isPending={create.isPending}>
            Save
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-3"
        onChange={changed}
        onSubmit={(event) => {
          event.preventDefault();
          create.run(draft(), () => {
            toast("ok", `Rule ${name} saved`, "The ledger follows within a minute.");
            onClose();
          });
        }}
      >
        <TextField
          label="Name"
          value={name}
          maxLength={64}
          hint={method === "whole" ? undefined : "The pot has this name, too."}
          error={failure?.fields.name}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="alloc-pair">
          <SelectField
            label="About"
            value={about}
            onChange={(event) => {
              setAbout(ABOUTS.find(({ value }) => value === event.target.value)?.value ?? "name");
              setText("");
            }}
          >
            {ABOUTS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectField>
          <AboutField data={data} about={about} text={text} hint={hint} onChange={setText} />
        </div>
        <div className="alloc-pair">
          <SelectField
            label="Who pays"
            value={method}
            onChange={(event) => setMethod(METHOD_NAMES.find((one) => one === event.target.value) ?? "whole")}
          >
            {METHOD_NAMES.map((one) => (
              <option key={one} value={one}>
                {METHODS[one]}
              </option>
            ))}
          </SelectField>
          <SelectField
            label="Holds"
            value={from}
            onChange={(event) => setFrom(event.target.value === "now" ? "now" : "month")}
          >
            <option value="month">from the beginning of {monthName(data.month)}</option>
            <option value="now">from now on</option>
          </SelectField>
        </div>
        <Shares
          shares={shares}
          method={method}
          known={data.words}
          onChange={setShares}
          error={failure?.fields.shares}
        />
        <Refusal failure={failure} fields={["name", "shares"]} />
        <div aria-live="polite">{shown && <Shown preview={shown} month={data.month} />}</div>
      </form>
    </Dialog>
  );
}

const METHOD_NAMES = ["whole", "gpu_minutes", "even", "fixed"] as const;

type AboutProps = {
  data: AllocationAnswer;
  about: About;
  text: string;
  hint: string | undefined;
  onChange: (text: string) => void;
};

/** What is chosen from a list; null: it is written. */
function optionsOf(about: About, { things, workspaces }: AllocationAnswer): { id: string; name: string }[] | null {
  if (about === "kind")
    return [
      { id: "instance", name: "instance" },
      { id: "filesystem", name: "file system" },
    ];
  if (about === "charges") return LOOSE_CHARGES.map((id) => ({ id, name: id }));
  if (about === "one") return things.map(({ id, name }) => ({ id, name: `${name} (${id.slice(-6)})` }));
  return about === "workspace" ? workspaces : null;
}

function AboutField({ data, about, text, hint, onChange }: AboutProps) {
  if (about === "all") return null;
  const label = ABOUTS.find(({ value }) => value === about)?.label ?? "";
  const options = optionsOf(about, data);
  if (options)
    return (
      <SelectField label="Which" value={text || options[0]?.id} onChange={(event) => onChange(event.target.value)}>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    );
  return (
    <TextField
      label={`${label} like`}
      value={text}
      maxLength={128}
      spellCheck={false}
      autoCapitalize="off"
      required
      hint={hint}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function selectorOf(about: About, text: string, data: AllocationAnswer): Selector {
  const word = text.trim() || (optionsOf(about, data)?.[0]?.id ?? "");
  if (about === "all") return {};
  if (about === "one") return { resourceIds: [word] };
  if (about === "workspace") return { connectionId: word };
  if (about === "kind") return { kind: word === "filesystem" ? "filesystem" : "instance" };
  if (about === "charges") return { charges: [LOOSE_CHARGES.find((one) => one === word) ?? "tax"] };
  if (about === "tag") {
    const [key = "", ...value] = word.split("=");
    return { tags: [{ key: key.trim(), value: value.join("=").trim() || "*" }] };
  }
  return about === "type" ? { type: word } : { name: word };
}

function sharesOf(shares: readonly Share[], method: SplitMethod): RuleDraft["shares"] {
  const named = shares.filter(({ words, pct }) => Object.values(words).some(Boolean) || (method === "fixed" && pct));
  return (method === "whole" ? named.slice(0, 1) : named).map(({ words, pct }) => ({
    words,
    ppm: method === "fixed" ? Math.round(Number(pct.replace(",", ".")) * 10_000) || 0 : 0,
  }));
}

type SharesProps = {
  shares: Share[];
  method: SplitMethod;
  known: AllocationAnswer["words"];
  onChange: (shares: Share[]) => void;
  error: string | undefined;
};

function Shares({ shares, method, known, onChange, error }: SharesProps) {
  const shown = method === "whole" ? shares.slice(0, 1) : shares;
  const change = (id: string, part: Partial<Share>) =>
    onChange(shares.map((share) => (share.id === id ? { ...share, ...part } : share)));
  return (
    <fieldset className="grid gap-3">
      <legend className="field-label pb-1">
        {method === "whole" ? "Payer" : method === "fixed" ? "Payers and their parts" : "Payers; none: everybody"}
      </legend>
      {shown.map((share, i) => (
        <div key={share.id} className="alloc-share">
          <OwnerFields words={share.words} known={known} onChange={(words) => change(share.id, { words })} />
          {method === "fixed" && (
            <TextField
              label="Part"
              unit="%"
              inputMode="decimal"
              value={share.pct}
              onChange={(event) => change(share.id, { pct: event.target.value })}
            />
          )}
          {i > 0 && (
            <Button size="small" look="ghost" onClick={() => onChange(shares.filter(({ id }) => id !== share.id))}>
              Remove
            </Button>
          )}
        </div>
      ))}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      {method !== "whole" && (
        <Button
          size="small"
          icon={Plus}
          className="justify-self-start"
          onClick={() => onChange([...shares, { id: crypto.randomUUID(), words: NOBODY, pct: "" }])}
        >
          Add a payer
        </Button>
      )}
    </fieldset>
  );
}

function Shown({ preview, month }: { preview: RulePreview; month: string }) {
  const { resources, micros, looseMicros, moves, matched } = preview;
  const isNothing = resources === 0 && looseMicros === "0";
  return (
    <div className="alloc-preview">
      <p>
        <b>
          {isNothing
            ? `It would move nothing in ${monthName(month, false)}.`
            : `It would move ${formatUsd(BigInt(micros) + BigInt(looseMicros))} in ${monthName(month, false)}`}
        </b>
        {!isNothing && `, of ${formatCount(resources, "resource")}.`} {formatCount(matched, "resource")} match
        {matched === 1 && "es"}
        {matched > resources && "; labels or earlier rules decide the others"}.
      </p>
      <ul className="cost-list">
        {moves.map((move) => (
          <li key={`${move.resourceId} ${move.from} ${move.to}`} className="cost-line">
            <span>
              {move.name}: {move.from} to {move.to}
            </span>
            <span className="num">{formatUsd(move.micros)}</span>
          </li>
        ))}
      </ul>
      {resources > moves.length && <p className="muted">The largest {moves.length} are listed.</p>}
    </div>
  );
}
