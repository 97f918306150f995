import type { Source } from "./catalogue";

/** One bit of `clocks_event_reasons.active` (older drivers: `clocks_throttle_reasons.active`; NVML's `nvmlClocksEventReason*`). */
export type ThrottleReason = {
  bit: number;
  key: string;
  label: string;
  meaning: string;
  /** Something is wrong with the machine. */
  isProblem: boolean;
  source: Source;
};

function reason(
  bit: number,
  key: string,
  label: string,
  meaning: string,
  isProblem: boolean,
  printed: string,
  smi = key,
) {
  const source: Source = {
    nvidiaSmi: [`clocks_event_reasons.${smi}`, `clocks_throttle_reasons.${smi}`],
    xml: [
      `clocks_event_reasons/clocks_event_reason_${smi}`,
      `clocks_throttle_reasons/clocks_throttle_reason_${smi}`,
      `clocks_event_reasons/clocks_throttle_reason_${smi}`,
    ],
    query: [`Clocks Event Reasons/${printed}`, `Clocks Throttle Reasons/${printed}`],
  };
  return { bit, key, label, meaning, isProblem, source };
}

/** Every known bit, lowest first. */
export const THROTTLE_REASONS: readonly ThrottleReason[] = [
  reason(0x1, "gpu_idle", "Idle", "Nothing runs, so the clocks are low.", false, "Idle"),
  reason(
    0x2,
    "applications_clocks_setting",
    "Clock setting",
    "Somebody set the application clocks below what the card could do.",
    false,
    "Applications Clocks Setting",
  ),
  reason(
    0x4,
    "sw_power_cap",
    "Power cap",
    "The card draws all the power that its cap allows. Normal under full load; worth a look when it lasts.",
    false,
    "SW Power Cap",
  ),
  reason(
    0x8,
    "hw_slowdown",
    "Hardware slowdown",
    "The card halved its clocks or worse because of heat or of its power supply.",
    true,
    "HW Slowdown",
  ),
  reason(0x10, "sync_boost", "Sync boost", "Held at the clock of the slowest card of its group.", false, "Sync Boost"),
  reason(
    0x20,
    "sw_thermal_slowdown",
    "Thermal slowdown by the driver",
    "The driver lowers the clocks because the card or its memory is too hot.",
    true,
    "SW Thermal Slowdown",
  ),
  reason(
    0x40,
    "hw_thermal_slowdown",
    "Thermal slowdown by the hardware",
    "The card itself lowers the clocks because it is too hot.",
    true,
    "HW Slowdown/HW Thermal Slowdown",
  ),
  reason(
    0x80,
    "hw_power_brake",
    "Power brake",
    "The power supply of the machine asked the card to slow down.",
    true,
    "HW Slowdown/HW Power Brake Slowdown",
    "hw_power_brake_slowdown",
  ),
  reason(
    0x100,
    "display",
    "Display clocks",
    "Held at the clock that a display needs.",
    false,
    "Display Clock Setting",
    "display_clocks_setting",
  ),
];

const PROBLEMS = THROTTLE_REASONS.filter((one) => one.isProblem).reduce((mask, one) => mask + one.bit, 0);

/** The reasons in a mask, lowest bit first; a bit that nobody has named yet is shown by its number and is no problem. */
export function throttleReasons(mask: number): ThrottleReason[] {
  const found: ThrottleReason[] = [];
  for (let bit = 1; bit <= mask && bit <= 0x40000000; bit *= 2) {
    if ((mask & bit) === 0) continue;
    const known = THROTTLE_REASONS.find((one) => one.bit === bit);
    const hex = `0x${bit.toString(16)}`;
    found.push(known ?? reason(bit, hex, `Reason ${hex}`, "A reason that this version does not know.", false, hex));
  }
  return found;
}

/** Whether a mask says that something is wrong; null stays null. */
export function isThrottleProblem(mask: number | null): boolean | null {
  return mask === null ? null : (mask & PROBLEMS) !== 0;
}
