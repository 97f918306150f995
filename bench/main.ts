import { benchAlerts } from "./alerts";
import { benchBacktest } from "./backtest";
import { benchCostPage } from "./cost-page";
import { benchCostRecompute } from "./cost-recompute";
import { Bars } from "./ground";
import { benchHttp } from "./http";
import { benchPages } from "./pages";
import { benchStore } from "./store";

/**
 * `npm run bench [store|alerts|http|pages|cost]`: measures the product beside its controls, in one run, and prints ratios. The last line
 * is a sentence with every bar that was missed, and the exit status says so.
 */
const sections = { store: benchStore, alerts: benchJudging, http: benchHttp, pages: benchPages, cost: benchCost };

async function benchJudging(bars: Bars): Promise<void> {
  await benchAlerts(bars);
  benchBacktest(bars);
}

async function benchCost(bars: Bars): Promise<void> {
  await benchCostPage(bars);
  await benchCostRecompute(bars);
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(sections, name));
if (unknown !== undefined) {
  process.stderr.write(`There is no measurement ${unknown}; there are ${Object.keys(sections).join(", ")}.\n`);
  process.exit(2);
}

const bars = new Bars();
for (const [name, measure] of Object.entries(sections))
  if (asked.length === 0 || asked.includes(name)) await measure(bars);
const words = [...bars.missed, ...bars.reported].join("; ");
console.log(words === "" ? "\nEvery bar holds." : `\n${words}.`);
process.exit(bars.missed.length === 0 ? 0 : 1);
