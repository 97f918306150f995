import { formatPercent, formatUsd } from "@/lib/domain/format";
import { formatDuration } from "@/lib/domain/format-time";

const NAMES: Record<string, string> = {
  costCenter: "Cost centre",
  externalId: "Lambda’s id",
  fileSystemName: "File system",
  forMs: "After",
  imageFamily: "Image",
  intervalMs: "Every",
  isDisabled: "Disabled",
  isDismissed: "Dismissed",
  keepFiringMs: "Keeps firing for",
  limitMicros: "Limit",
  minMicros: "From",
  microsPerGibMonth: "Price per GiB and month",
  microsPerHour: "Price per hour",
  minSeverity: "From severity",
  monthMicros: "Per month",
  noData: "Without data",
  peakPct: "Peak utilisation",
  priceMicros: "Price per hour",
  sendResolved: "Tells of the end",
  sshKeyName: "SSH key",
  typeName: "Type",
  utilizationPct: "Utilisation",
};

/** A field of an entry as people call it: "clearThreshold" is "Clear threshold". */
export function fieldWords(field: string): string {
  const known = NAMES[field];
  if (known) return known;
  const words = field
    .replace(/(Micros|Ms|Pct)$/, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[._-]+/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What a field of an entry holds, in its unit. */
export function valueWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === "") return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (/(Micros$|^micros)/.test(field) && /^-?\d+$/.test(String(value))) return formatUsd(String(value));
  if (typeof value === "number" && field.endsWith("Ms")) return formatDuration(value);
  if (typeof value === "number" && field.endsWith("Pct")) return formatPercent(value);
  if (Array.isArray(value)) return value.map((one) => valueWords("", one)).join(", ") || "none";
  if (typeof value === "object")
    return (
      Object.entries(value)
        .filter(([, inner]) => inner !== null && inner !== "")
        .map(([inner, held]) => `${fieldWords(inner).toLowerCase()} ${valueWords(inner, held)}`)
        .join(", ") || "none"
    );
  return String(value);
}
