import type { ReactNode } from "react";
import { PlanTabs } from "@/components/plan/plan-tabs";

export default function PlanLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <PlanTabs />
      {children}
    </>
  );
}
