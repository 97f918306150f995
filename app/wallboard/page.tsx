import type { Metadata } from "next";
import { Providers } from "@/components/shell/providers";
import { Wallboard } from "@/components/wallboard/wallboard";

export const metadata: Metadata = { title: "Wallboard", referrer: "no-referrer" };

/** A screen on the wall: no session, no control. Its token stands after the # of the address. */
export default function WallboardPage() {
  return (
    <Providers>
      <Wallboard />
    </Providers>
  );
}
