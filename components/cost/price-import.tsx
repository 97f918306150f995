"use client";

import { Upload } from "lucide-react";
import { useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { TextAreaField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { PricePreview } from "@/lib/domain/cost/price-view";
import { formatCount } from "@/lib/domain/format";
import type { PriceActs } from "./price-room";
import { PER_WORDS, priceWords, regionWords, skuWords, TIER_WORDS } from "./price-words";

/** A price list from a file: looked at line by line first, then written whole or not at all. */
export function ImportDialog({ acts, zone }: { acts: PriceActs; zone: string }) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [preview, setPreview] = useState<PricePreview | null>(null);
  const look = useAct(acts.previewPrices);
  const write = useAct(acts.importPrices);
  const change = (next: string) => {
    setText(next);
    setPreview(null);
    look.clear();
    write.clear();
  };
  const isGood = preview !== null && preview.errors.length === 0 && preview.lines.length > 0;
  return (
    <Dialog
      trigger={
        <Button size="small" icon={Upload}>
          Import
        </Button>
      }
      open={isOpen}
      onOpenChange={(next) => {
        setOpen(next);
        change("");
      }}
      title="Import a price list"
      about={`CSV with the columns sku, price_usd and from; region, unit, tier, to and note where you have them. Instants without a zone are of ${zone}.`}
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          {isGood ? (
            <Button
              look="primary"
              isPending={write.isPending}
              onClick={() =>
                write.run({ text }, ({ lines }) => {
                  setOpen(false);
                  toast("ok", `${formatCount(lines, "price")} imported`, "The ledger follows within a minute.");
                })
              }
            >
              Import {formatCount(preview.lines.length, "price")}
            </Button>
          ) : (
            <Button
              look="primary"
              isPending={look.isPending}
              disabled={text.trim() === ""}
              onClick={() => look.run({ text }, setPreview)}
            >
              Preview
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-3">
        <TextField
          label="File"
          type="file"
          accept=".csv,text/csv,text/plain"
          onChange={async (event) => {
            const file = event.currentTarget.files?.[0];
            if (file) change(await file.text());
          }}
        />
        <TextAreaField
          label="Or its lines"
          rows={6}
          spellCheck={false}
          className="mono"
          value={text}
          placeholder={"sku,region,tier,price_usd,from,to\ngpu_1x_gh200,*,negotiated,1.99,2026-11-01,"}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Refusal failure={look.failure ?? write.failure} />
        {preview && <Preview preview={preview} />}
      </div>
    </Dialog>
  );
}

function Preview({ preview }: { preview: PricePreview }) {
  return (
    <>
      {preview.errors.length > 0 && (
        <div role="alert" className="grid gap-2">
          <Note tone="crit">
            {formatCount(preview.errors.length, "line")} cannot be read, so nothing can be imported.
          </Note>
          <ul className="list-disc pl-5">
            {preview.errors.map(({ line, message }) => (
              <li key={`${line} ${message}`}>
                Line {line}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {preview.lines.length > 0 && (
        <Table label="What the file says" isDense>
          <thead>
            <tr>
              <th scope="col" className="num">
                Line
              </th>
              <th scope="col">What</th>
              <th scope="col">Kind</th>
              <th scope="col" className="num">
                Until now
              </th>
              <th scope="col" className="num">
                Price
              </th>
              <th scope="col">From</th>
              <th scope="col">To</th>
            </tr>
          </thead>
          <tbody>
            {preview.lines.map((line) => (
              <tr key={line.line}>
                <td className="num">{line.line}</td>
                <th scope="row" className="font-normal">
                  {skuWords(line.sku)} <span className="muted">{regionWords(line.region)}</span>
                </th>
                <td>{TIER_WORDS[line.tier]}</td>
                <td className="num muted">{line.beforeMicros === null ? "unknown" : priceWords(line.beforeMicros)}</td>
                <td className="num" title={PER_WORDS[line.unit]}>
                  <b>{priceWords(line.micros)}</b>
                </td>
                <td>
                  <Instant at={line.from} year />
                </td>
                <td>{line.to === null ? "open" : <Instant at={line.to} year />}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </>
  );
}
