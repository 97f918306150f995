const UNIT_MS = { y: 31_536_000_000, w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const;
const WRITTEN = /^(?:(\d+)y)?(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?(?:(\d+)ms)?$/;

/** "1h30m" in milliseconds, each unit once and the largest first, as Prometheus writes it; null: it is no duration. */
export function parseDuration(text: string): number | null {
  if (text === "0") return 0;
  const found = text === "" ? null : WRITTEN.exec(text);
  if (!found) return null;
  return Object.values(UNIT_MS).reduce((total, ms, i) => total + Number(found[i + 1] ?? 0) * ms, 0);
}

/** The same the other way round: "1h30m", "0s". Years and weeks are written in days. */
export function formatPrometheusDuration(ms: number): string {
  let rest = Math.round(ms);
  let text = "";
  for (const unit of ["d", "h", "m", "s", "ms"] as const) {
    const count = Math.floor(rest / UNIT_MS[unit]);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * UNIT_MS[unit];
  }
  return text === "" ? "0s" : text;
}
