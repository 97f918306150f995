"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { dayRangeWords } from "@/components/cost/words";
import { useAct } from "@/components/settings/use-act";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Segmented } from "@/components/ui/segmented";
import { toast } from "@/components/ui/toast";
import type { PreviewAnswer } from "@/lib/domain/invoice/view";
import type { Result } from "@/lib/errors";
import { emptyHead, type Head, HeadPanel } from "./head-panel";
import { TableSource } from "./table-source";
import { emptyLine, readTyped, type TypedLine, TypedLines } from "./typed-lines";
import { invoicesHref } from "./words";

export type NewInvoiceActs = {
  preview: (input: FormData) => Promise<Result<PreviewAnswer>>;
  send: (input: FormData) => Promise<Result<{ id: string }>>;
};

const WAYS = [
  { value: "file", label: "CSV file" },
  { value: "paste", label: "Paste" },
  { value: "type", label: "Type" },
] as const;
type Way = (typeof WAYS)[number]["value"];

/** An invoice on its way in: its lines at the left, what it is and whether it adds up at the right. */
export function NewInvoice({ month, acts }: { month: string; acts: NewInvoiceActs }) {
  const [way, setWay] = useState<Way>("file");
  const [head, setHead] = useState<Head>(emptyHead);
  const [sent, setSent] = useState<FormData | null>(null);
  const [preview, setPreview] = useState<PreviewAnswer | null>(null);
  const [typed, setTyped] = useState<TypedLine[]>(() => [emptyLine(), emptyLine(), emptyLine()]);
  const [attached, setAttached] = useState<File | null>(null);
  const { run, failure, isPending, clear } = useAct(acts.send);
  const router = useRouter();
  const queries = useQueryClient();

  const read = readTyped(typed);
  const sumMicros = way === "type" ? read.sumMicros : preview ? BigInt(preview.sumMicros) : null;
  const count = way === "type" ? read.count : (preview?.count ?? 0);
  const problems = way === "type" ? read.problems : (preview?.problemCount ?? 0);

  const found = (answer: PreviewAnswer | null, form: FormData | null) => {
    clear();
    setPreview(answer);
    setSent(form);
    if (!answer) return;
    setHead((before) => ({
      ...before,
      fromDay: before.fromDay || (answer.fromDay ?? ""),
      toDay: before.toDay || (answer.toDay ?? ""),
      total: before.total || dollars(answer.totalMicros ?? answer.sumMicros),
    }));
  };

  const send = () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(head)) form.set(name, value);
    if (way === "type") {
      form.set("lines", JSON.stringify(read.texts));
      if (attached) form.set("file", attached);
    } else if (sent && preview) {
      for (const [name, value] of sent) if (name !== "mapping") form.set(name, value);
      form.set("mapping", JSON.stringify(preview.mapping));
    }
    run(form, ({ id }) => {
      toast("ok", `Invoice ${head.number} is entered`, dayRangeWords(head.fromDay, head.toDay));
      void queries.invalidateQueries({ queryKey: ["cost"] });
      router.push(invoicesHref(month, id));
    });
  };

  return (
    <Deck className="cost">
      <DeckColumn span={8}>
        <Panel
          title="Lines"
          sub="nothing is stored until you enter it"
          actions={
            <Segmented
              label="How the lines come"
              options={WAYS}
              value={way}
              onChange={(next) => {
                setWay(next);
                found(null, null);
              }}
            />
          }
        >
          {way === "type" ? (
            <TypedLines lines={typed} onChange={setTyped} onAttach={setAttached} />
          ) : (
            <TableSource key={way} way={way} act={acts.preview} preview={preview} onFound={found} />
          )}
        </Panel>
      </DeckColumn>
      <DeckColumn span={4}>
        <HeadPanel
          head={head}
          onChange={(change) => {
            clear();
            setHead((before) => ({ ...before, ...change }));
          }}
          count={count}
          sumMicros={sumMicros}
          problems={problems}
          known={preview?.known ?? null}
          failure={failure}
          isPending={isPending}
          onEnter={send}
        />
      </DeckColumn>
    </Deck>
  );
}

/** `1234.56`: what goes into a field. */
function dollars(micros: string): string {
  const value = BigInt(micros);
  const size = (value < 0n ? -value : value).toString().padStart(7, "0");
  const fraction = size.slice(-6).replace(/0{1,4}$/, "");
  return `${value < 0n ? "-" : ""}${size.slice(0, -6)}.${fraction}`;
}
