import type { ReactNode } from "react";
import { BrandMark } from "@/components/shell/brand-mark";

/** A page in front of the house: one thing to do, in the middle. */
export function Door({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div className="grid w-full max-w-[360px] gap-5">
        <div className="flex items-center gap-2.5 text-14 font-semibold">
          <BrandMark />
          Hopperdeck
        </div>
        <div className="grid gap-1">
          <h1 className="text-20 font-semibold">{title}</h1>
          <p className="text-text-2">{text}</p>
        </div>
        {children}
      </div>
    </main>
  );
}
