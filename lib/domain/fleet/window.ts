export const PRESETS = ["1h", "6h", "24h", "7d", "30d"] as const;
export type Preset = (typeof PRESETS)[number];
export const DEFAULT_PRESET = "6h" satisfies Preset;

export const PRESET_MS: Record<Preset, number> = {
  "1h": 3_600_000,
  "6h": 6 * 3_600_000,
  "24h": 24 * 3_600_000,
  "7d": 7 * 24 * 3_600_000,
  "30d": 30 * 24 * 3_600_000,
};

/** A preset that ends now, or two instants. */
export type Window = { range: Preset; from?: number | undefined; to?: number | undefined };

/** The window that an address asks for, as the browser reads its own. */
export function readWindow(given: URLSearchParams): Window {
  const instant = (name: string) => {
    const text = given.get(name);
    const value = text === null ? Number.NaN : Number(text);
    return Number.isSafeInteger(value) && value >= 0 && value <= 8.64e15 ? value : undefined;
  };
  const range = PRESETS.find((known) => known === given.get("range")) ?? DEFAULT_PRESET;
  return { range, from: instant("from"), to: instant("to") };
}

/** The window in instants; whatever is asked lasts at least a minute and at most 400 days. */
export function windowOf({ range, from, to }: Window, now: number): { from: number; to: number; isLive: boolean } {
  if (from !== undefined && to !== undefined && to > from) {
    const end = Math.max(to, from + 60_000);
    return { from: Math.max(from, end - 400 * 24 * 3_600_000), to: end, isLive: false };
  }
  return { from: now - PRESET_MS[range], to: now, isLive: true };
}
