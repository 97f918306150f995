"use client";

import { Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { FormDialog } from "@/components/settings/form-dialog";
import { IconButton } from "@/components/ui/button";
import { TextAreaField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { InvoiceRow } from "@/lib/domain/invoice/view";
import type { InvoiceRights } from "./invoices-room";
import { invoicesHref } from "./words";

type Props = { invoice: InvoiceRow; month: string; act: InvoiceRights["remove"] };

export function RemoveDialog({ invoice, month, act }: Props) {
  const router = useRouter();
  return (
    <FormDialog
      trigger={<IconButton size="small" icon={Trash2} label={`Remove invoice ${invoice.number}`} />}
      title={`Remove invoice ${invoice.number}?`}
      about="With its lines, its file and what was said of its differences. Charges that were made of it are taken back; in a closed month as a correction."
      word="Remove"
      act={act}
      fields={["note"]}
      hidden={{ invoiceId: invoice.id }}
      onDone={() => {
        toast("ok", `Invoice ${invoice.number} is removed`);
        router.replace(invoicesHref(month), { scroll: false });
      }}
    >
      {(failure) => (
        <TextAreaField label="Why" name="note" required minLength={3} maxLength={500} error={failure?.fields.note} />
      )}
    </FormDialog>
  );
}
