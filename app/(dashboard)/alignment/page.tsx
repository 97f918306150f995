import type { Metadata } from "next";
import { AlignmentRoom } from "@/components/alignment/alignment-room";
import { PanelFrame } from "@/components/page/panel-frame";
import { can } from "@/lib/domain/access";
import { alignmentQuery } from "@/lib/queries/alignment";
import { readAlignment } from "@/lib/services/alignment/read";
import { Hydrate, prefetch } from "@/lib/web/prefetch";
import { pageCtx } from "@/lib/web/session";
import { accept, assign, reopen } from "./actions";

export const metadata: Metadata = { title: "Alignment" };

export default async function AlignmentPage() {
  const ctx = await pageCtx();
  const mayDeclare = can(ctx.actor, "alignment:write");
  return (
    <Hydrate reads={[prefetch(alignmentQuery(), () => readAlignment(ctx))]}>
      <PanelFrame label="The comparison" rows={14}>
        <AlignmentRoom acts={mayDeclare ? { accept, reopen, assign } : null} />
      </PanelFrame>
    </Hydrate>
  );
}
