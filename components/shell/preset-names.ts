import type { Preset } from "@/lib/domain/fleet/window";

export const PRESET_NAMES: Record<Preset, string> = {
  "1h": "Last hour",
  "6h": "Last 6 h",
  "24h": "Last 24 h",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
};
