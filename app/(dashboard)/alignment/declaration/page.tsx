import type { Metadata } from "next";
import { DeclarationRoom } from "@/components/alignment/declaration-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { PageTitle } from "@/components/ui/page";
import { can } from "@/lib/domain/access";
import { Beginning } from "@/lib/domain/alignment/view";
import { declarationQuery } from "@/lib/queries/alignment";
import { readDeclarations } from "@/lib/services/alignment/declare";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { preview, restore, save } from "./actions";

export const metadata: Metadata = { title: "Declared fleet" };

export default async function DeclarationPage({ searchParams }: PageProps<"/alignment/declaration">) {
  const ctx = await pageCtx();
  const beginning = Beginning.parse(await searchParams);
  const mayDeclare = can(ctx.actor, "alignment:write");
  return (
    <Hydrate reads={[prefetch(declarationQuery(), () => readDeclarations(ctx, {}))]}>
      <PageTitle title="Declared fleet" meta="What the fleet should be, in one document; every version stays." />
      <PanelFrame label="The declaration" rows={14}>
        <DeclarationRoom acts={mayDeclare ? { preview, save, restore } : null} beginning={beginning} />
      </PanelFrame>
    </Hydrate>
  );
}
