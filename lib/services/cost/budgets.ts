import {
  insertBudget,
  knownScopes,
  listBudgetActs,
  listBudgets,
  lockBudget,
  removeBudget as remove,
  updateBudget,
} from "@/lib/db/cost/budgets";
import { findConnection } from "@/lib/db/fleet/connection";
import { mutate } from "@/lib/db/mutate";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx, can } from "@/lib/domain/access";
import { budgetWindow, windowsBefore } from "@/lib/domain/cost/budget-period";
import {
  type Budget,
  type BudgetChange,
  type BudgetId,
  type BudgetState,
  budgetState,
  type NewBudget,
} from "@/lib/domain/cost/budgets";
import type { BudgetAnswer, BudgetsAnswer, BudgetView } from "@/lib/domain/cost/budgets-view";
import { scopeWords } from "@/lib/domain/cost/scope";
import { dayOf } from "@/lib/domain/cost/zone";
import { AppError } from "@/lib/errors";
import { finishedDays, forecastOf, type History, historyOf, rateOf, runningNow, spentWithin } from "./outlook";
import { readForecastScores } from "./score";

const PAST_WINDOWS = 12;

/** How every budget stands now, for pages and for rules about money. */
export async function budgetStates(now: Date): Promise<BudgetState[]> {
  const [budgets, { zone }] = await Promise.all([listBudgets(), readSetting("accounting")]);
  const days = budgets.length === 0 ? [] : await finishedDays(now.getTime(), zone);
  const known = new Map<string, Promise<[Awaited<ReturnType<typeof runningNow>>, History]>>();
  return Promise.all(
    budgets.map(async (budget) => {
      const key = JSON.stringify(budget.selector);
      const asked =
        known.get(key) ?? Promise.all([runningNow(budget.selector, now, zone), historyOf(budget.selector, days)]);
      known.set(key, asked);
      const window = budgetWindow(budget.every, now.getTime(), zone);
      const [[running, history], spent] = await Promise.all([
        asked,
        spentWithin(budget.selector, budget.every, window),
      ]);
      const at = now.getTime();
      return budgetState(budget, {
        at,
        window,
        spentMicros: spent.micros,
        unknownRows: spent.unknownRows,
        forecast: forecastOf({ ...running, ...history, at, monthEnd: window.to, monthToDateMicros: spent.micros }),
        microsPerHour: rateOf(running),
      });
    }),
  );
}

function view(state: BudgetState, version: number): BudgetView {
  return {
    ...state,
    version,
    scope: scopeWords(state.selector),
    limitMicros: state.limitMicros.toString(),
    spentMicros: state.spentMicros.toString(),
    forecast: {
      micros: state.forecast.baseMicros.toString(),
      lowMicros: state.forecast.lowMicros.toString(),
      highMicros: state.forecast.highMicros.toString(),
    },
    burnMicros: state.burnMicros.toString(),
    microsPerHour: state.microsPerHour.toString(),
  };
}

/** Every budget with what is spent, what is to come, and when it is gone; and how good such forecasts were. */
export async function readBudgets(ctx: Ctx): Promise<BudgetsAnswer> {
  authorize(ctx, "cost:read");
  const [states, budgets, { zone }, known, scores] = await Promise.all([
    budgetStates(ctx.now),
    listBudgets(),
    readSetting("accounting"),
    knownScopes(),
    readForecastScores(ctx.now),
  ]);
  return {
    now: ctx.now.getTime(),
    zone,
    budgets: states.map((state) => view(state, budgets.find(({ id }) => id === state.id)?.version ?? 1)),
    known,
    scores,
  };
}

/** One budget: what its earlier periods came to against the limit of now, and who changed it. */
export async function readBudget(ctx: Ctx, { budgetId }: BudgetId): Promise<BudgetAnswer> {
  authorize(ctx, "cost:read");
  const [states, budgets, { zone }, connection] = await Promise.all([
    budgetStates(ctx.now),
    listBudgets(),
    readSetting("accounting"),
    findConnection(),
  ]);
  const budget = budgets.find(({ id }) => id === budgetId);
  const state = states.find(({ id }) => id === budgetId);
  if (!budget || !state) throw new AppError("not-found", "There is no such budget, or it was removed.");
  const since = connection?.createdAt.getTime() ?? ctx.now.getTime();
  const now = ctx.now.getTime();
  const window = budgetWindow(budget.every, now, zone);
  const [past, acts] = await Promise.all([
    Promise.all(
      windowsBefore(budget.every, window, since, zone, PAST_WINDOWS).map(async (one) => {
        const spent = await spentWithin(budget.selector, budget.every, one);
        return {
          fromDay: one.fromDay,
          toDay: one.toDay,
          spentMicros: spent.micros.toString(),
          unknownRows: spent.unknownRows,
          isPartlyKnown: one.from < since,
        };
      }),
    ),
    can(ctx.actor, "audit:read") ? listBudgetActs(budgetId) : null,
  ]);
  return {
    now,
    zone,
    budget: view(state, budget.version),
    past,
    acts: acts?.map(({ at, ...act }) => ({ ...act, at: at.getTime() })) ?? null,
  };
}

export async function createBudget(ctx: Ctx, input: NewBudget): Promise<{ id: string }> {
  const { zone } = await readSetting("accounting");
  return mutate(ctx, "budget:write", async (tx) => {
    const wanted = rowOf(input);
    await refuseTwin(wanted, null);
    const budget = await insertBudget(tx, { ...wanted, fromDay: dayOf(ctx.now.getTime(), zone) }, ctx.now);
    return { action: "budget.created", ...subject(budget), after: shown(budget), result: { id: budget.id } };
  });
}

/** Changes a budget as somebody saw it; what another changed meanwhile is not overwritten. */
export async function changeBudget(ctx: Ctx, { budgetId, version, ...input }: BudgetChange): Promise<{ id: string }> {
  return mutate(ctx, "budget:write", async (tx) => {
    const before = await existing(await lockBudget(tx, budgetId));
    if (before.version !== version)
      throw new AppError(
        "conflict",
        "Somebody else changed this budget meanwhile. Look at it and change it again; nothing was changed.",
      );
    const wanted = rowOf(input);
    await refuseTwin(wanted, budgetId);
    await updateBudget(tx, budgetId, wanted, ctx.now);
    return {
      action: "budget.changed",
      ...subject({ ...before, ...wanted }),
      before: shown(before),
      after: shown(wanted),
      result: { id: budgetId },
    };
  });
}

/** Takes a budget away; what it was stays in Activity. */
export async function removeBudget(ctx: Ctx, { budgetId }: BudgetId): Promise<{ id: string }> {
  return mutate(ctx, "budget:write", async (tx) => {
    const before = await existing(await lockBudget(tx, budgetId));
    await remove(tx, budgetId, ctx.now);
    return {
      action: "budget.removed",
      ...subject(before),
      before: shown(before),
      after: null,
      result: { id: budgetId },
    };
  });
}

function rowOf({ name, selector, every, usd, thresholds }: NewBudget) {
  return { name: name || scopeWords(selector), selector, every, micros: usd, thresholds };
}

/** One limit for one scope and period: of two, nobody could say which one holds. */
async function refuseTwin(wanted: Pick<Budget, "selector" | "every">, except: string | null): Promise<void> {
  const twin = (await listBudgets()).find(
    (one) =>
      one.id !== except && one.every === wanted.every && scopeWords(one.selector) === scopeWords(wanted.selector),
  );
  if (twin)
    throw new AppError(
      "conflict",
      `${twin.name} is a budget for the same scope and period. Change that one; nothing was changed.`,
    );
}

async function existing(found: Budget | null): Promise<Budget> {
  if (!found)
    throw new AppError("not-found", "There is no such budget, or it was removed meanwhile; nothing was changed.");
  return found;
}

function subject({ id, name }: Pick<Budget, "id" | "name">) {
  return { subjectKind: "budget", subjectId: id, subject: name };
}

function shown({
  name,
  selector,
  every,
  micros,
  thresholds,
}: Pick<Budget, "name" | "selector" | "every" | "micros" | "thresholds">) {
  return {
    name,
    scope: scopeWords(selector),
    every,
    limitMicros: micros,
    thresholds: thresholds.map(({ on, pct }) => `${on} ${pct} %`),
  };
}
