import { formatCount, formatUsdWhole } from "@/lib/domain/format";
import { formatDuration, formatMonth } from "@/lib/domain/format-time";
import type { OverviewAnswer } from "@/lib/domain/overview";

/** What matters most now, in one line of plain English; the first part is bold. */
export function overviewSentence(data: OverviewAnswer): { lead: string; rest: string } {
  const firing = data.alerts.filter((alert) => alert.part === "firing");
  const unknown = data.alerts.filter((alert) => alert.part === "unknown");
  const parts: string[] = [];
  if (firing.length > 0) {
    parts.push(
      firing.length === 1
        ? "One alert is firing and nobody has acknowledged it."
        : `${firing.length} alerts are firing and nobody has acknowledged them.`,
    );
  }
  if (unknown.length > 0)
    parts.push(`${formatCount(unknown.length, "alert")} cannot be judged for want of data; still open.`);
  const idle = data.fleet.rows
    .filter((row) => row.idle !== null)
    .sort((a, b) => Number(b.priceMicros ?? 0) - Number(a.priceMicros ?? 0))[0];
  if (idle?.idle) parts.push(`${idle.name} has been idle for ${formatDuration(data.now - idle.idle.since)}.`);
  if (data.reporting.silent > 0)
    parts.push(
      `${formatCount(data.reporting.silent, "GPU")} went silent and still ${data.reporting.silent === 1 ? "bills" : "bill"}.`,
    );
  const { budget, forecast } = data.outlook;
  if (budget) {
    const over = BigInt(forecast.micros) - BigInt(budget.micros);
    if (over > 0n) {
      const month = formatMonth(Date.parse(`${data.outlook.month}-15T12:00:00Z`), "UTC").split(" ")[0];
      parts.push(`${month} is heading ${formatUsdWhole(over)} over budget.`);
    }
  }
  if (parts.length === 0) {
    const { billed, gpusBilled } = data.fleet.totals;
    parts.push(
      billed === 0
        ? "No instance bills."
        : `Nothing needs you: ${formatCount(gpusBilled, "GPU")} on ${formatCount(billed, "instance")} bill and none fires an alert.`,
    );
  }
  const [lead = "", ...rest] = parts;
  return { lead, rest: rest.join(" ") };
}
