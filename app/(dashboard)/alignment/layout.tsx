import type { ReactNode } from "react";
import { AlignmentTabs } from "@/components/alignment/alignment-tabs";

export default function AlignmentLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <AlignmentTabs />
      {children}
    </>
  );
}
