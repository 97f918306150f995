import type { ReactNode } from "react";
import { CostTabs } from "@/components/cost/cost-tabs";
import { readAccountingMonth } from "@/lib/services/cost/zone";
import { maybeCtx } from "@/lib/web/session";

export default async function CostLayout({ children }: { children: ReactNode }) {
  const ctx = await maybeCtx();
  return (
    <>
      {ctx && <CostTabs month={await readAccountingMonth(ctx)} />}
      {children}
    </>
  );
}
