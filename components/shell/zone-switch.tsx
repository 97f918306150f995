"use client";

import { useRouter } from "next/navigation";
import { useTimeZone } from "@/components/ui/clock";
import { Segmented } from "@/components/ui/segmented";
import { ZONE_COOKIE } from "./zone";

const YEAR_S = 31_536_000;

/** UTC, or the zone of this browser. */
export function ZoneSwitch() {
  const zone = useTimeZone();
  const router = useRouter();
  const choose = (next: "utc" | "local") => {
    const name = next === "utc" ? "UTC" : Intl.DateTimeFormat().resolvedOptions().timeZone;
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is missing on pages served over plain http
    document.cookie = `${ZONE_COOKIE}=${encodeURIComponent(name)}; path=/; max-age=${YEAR_S}; samesite=lax`;
    router.refresh();
  };
  return (
    <span className="zone-switch" title={zone === "UTC" ? "Times are in UTC" : `Times are in ${zone}`}>
      <Segmented
        label="Time zone"
        options={[
          { value: "utc", label: "UTC" },
          { value: "local", label: "Local" },
        ]}
        value={zone === "UTC" ? "utc" : "local"}
        onChange={choose}
      />
    </span>
  );
}
