"use client";

import { Pencil } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { instanceQuery } from "@/lib/queries/fleet";

type Props = { question: InstancePageQuestion; rename: Act<FormData, { id: string }> };

/** Gives the machine that the page is about another name, at Lambda itself. */
export function RenameInstance({ question, rename }: Props) {
  const { data } = useLive(instanceQuery(question));
  const { id, name } = data.row;
  const label = name.replace(/-[0-9a-f]{8}$/, "");
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Pencil}>
          Rename…
        </Button>
      }
      title={`Rename ${name}`}
      about="At Lambda. A machine that was launched here keeps the mark of its launch behind its name, by which it is found again."
      word="Rename"
      act={rename}
      fields={["name"]}
      hidden={{ instanceId: id }}
      onDone={() => toast("ok", "Renamed", "It shows with the next look at Lambda.")}
    >
      {(failure) => (
        <TextField label="Name" name="name" required maxLength={55} defaultValue={label} error={failure?.fields.name} />
      )}
    </FormDialog>
  );
}
