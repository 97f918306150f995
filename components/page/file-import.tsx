"use client";

import { Upload } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Refusal } from "@/components/settings/refusal";
import { type Act, useAct } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { Dialog, DialogClose } from "@/components/ui/dialog";
import { Note } from "@/components/ui/note";
import { formatCount } from "@/lib/domain/format";
import { FileText } from "./file-text";

type Preview = { lines: readonly unknown[]; errors: readonly { line: number; message: string }[] };

type Props<P extends Preview, R> = {
  title: string;
  about: string;
  placeholder: string;
  /** What one line is: "price". */
  called: string;
  look: Act<{ text: string }, P>;
  write: Act<{ text: string }, R>;
  children: (preview: P) => ReactNode;
  onDone: (result: R) => void;
};

/** Lines of a file: looked at one by one first, then written whole or not at all. */
export function FileImport<P extends Preview, R>(props: Props<P, R>) {
  const { title, about, placeholder, called, children, onDone } = props;
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [preview, setPreview] = useState<P | null>(null);
  const look = useAct(props.look);
  const write = useAct(props.write);
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
      title={title}
      about={about}
      remark="Written to the audit trail"
      actions={
        <>
          <DialogClose />
          {isGood ? (
            <Button
              look="primary"
              isPending={write.isPending}
              onClick={() =>
                write.run({ text }, (result) => {
                  setOpen(false);
                  onDone(result);
                })
              }
            >
              Import {formatCount(preview.lines.length, called)}
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
        <FileText
          label="Or its lines"
          accept=".csv,text/csv,text/plain"
          rows={6}
          text={text}
          placeholder={placeholder}
          onChange={change}
        />
        <Refusal failure={look.failure ?? write.failure} />
        {preview && preview.errors.length > 0 && <Errors errors={preview.errors} />}
        {preview && preview.lines.length > 0 && children(preview)}
      </div>
    </Dialog>
  );
}

function Errors({ errors }: Pick<Preview, "errors">) {
  return (
    <div role="alert" className="grid gap-2">
      <Note tone="crit">{formatCount(errors.length, "line")} cannot be read, so nothing can be imported.</Note>
      <ul className="list-disc pl-5">
        {errors.map(({ line, message }) => (
          <li key={`${line} ${message}`}>
            Line {line}: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
