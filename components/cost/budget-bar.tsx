import type { BudgetView } from "@/lib/domain/cost/budgets-view";
import { formatUsdWhole } from "@/lib/domain/format";

/** Spent solid, the forecast dashed with its band as shade, the limit as a tick; past the limit all of it shrinks to fit. */
export function BudgetBar({ budget }: { budget: BudgetView }) {
  const { limitMicros, spentMicros, forecast } = budget;
  const limit = Number(limitMicros);
  const spent = Number(spentMicros);
  const [low, high] = [Number(forecast.lowMicros), Number(forecast.highMicros)];
  const most = Math.max(limit, spent, high) || 1;
  const share = (amount: number) => `${Math.min(1, Math.max(0, amount / most)) * 100}%`;
  const words = `${formatUsdWhole(spentMicros)} of ${formatUsdWhole(limitMicros)} spent, forecast ${formatUsdWhole(forecast.micros)}`;
  return (
    <span className="budget-bar" role="img" aria-label={words}>
      <i data-part="forecast" style={{ width: share(Number(forecast.micros)) }} />
      <i data-part="band" style={{ left: share(low), width: share(high - low) }} />
      <i data-part="spent" style={{ width: share(spent) }} />
      <i data-part="limit" style={{ left: share(limit) }} />
    </span>
  );
}
