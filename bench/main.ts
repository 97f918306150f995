import { spawnSync } from "node:child_process";
import { benchAlerts } from "./alerts";
import { benchAlignment } from "./alignment";
import { benchAudit } from "./audit";
import { benchBacktest, benchBacktestAsked } from "./backtest";
import { benchCostPage } from "./cost-page";
import { benchCostRecompute } from "./cost-recompute";
import { Bars } from "./ground";
import { benchHttp } from "./http";
import { benchPages } from "./pages";
import { benchPlan } from "./plan";
import { benchStore } from "./store";

/**
 * `npm run bench [store|alerts|http|pages|cost|metering|alignment|plan|audit]`: measures the product beside its controls, in one run, and prints ratios. The last line
 * is a sentence with every bar that was missed, and the exit status says so.
 */
const sections = {
  store: benchStore,
  alerts: benchAlerts,
  backtest: benchBacktests,
  http: benchHttp,
  pages: benchPages,
  cost: benchCostPage,
  metering: benchCostRecompute,
  alignment: benchAlignment,
  plan: benchPlan,
  audit: benchAudit,
};

async function benchBacktests(bars: Bars): Promise<void> {
  benchBacktest(bars);
  await benchBacktestAsked(bars);
}

const asked = process.argv.slice(2);
const unknown = asked.find((name) => !Object.hasOwn(sections, name));
if (unknown !== undefined) {
  process.stderr.write(`There is no measurement ${unknown}; there are ${Object.keys(sections).join(", ")}.\n`);
  process.exit(2);
}

const [only] = asked;
process.exit(only !== undefined && asked.length === 1 ? await measure(only) : runEach());

async function measure(name: string): Promise<number> {
  const bars = new Bars();
  await Object.entries(sections).find(([one]) => one === name)?.[1](bars);
  const words = [...bars.missed, ...bars.reported].join("; ");
  console.log(words === "" ? "\nEvery bar holds." : `\n${words}.`);
  return bars.missed.length === 0 ? 0 : 1;
}

/** Each in a process of its own: the product reads its environment once. */
function runEach(): number {
  const names = asked.length > 0 ? asked : Object.keys(sections);
  const missed = names.filter(
    (name) =>
      spawnSync(process.execPath, [...process.execArgv, "bench/main.ts", name], { stdio: "inherit" }).status !== 0,
  );
  console.log(missed.length === 0 ? "\nEvery bar holds." : `\nBars were missed in: ${missed.join(", ")}.`);
  return missed.length === 0 ? 0 : 1;
}
