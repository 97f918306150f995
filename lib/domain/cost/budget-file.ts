import { dollarsText, entryIn, type FileEntry, type Plan, planSection } from "@/lib/domain/alerts/file-plan";
import { type Budget, DEFAULT_THRESHOLDS, NewBudget } from "./budgets";
import { scopeWords } from "./scope";

const ORDER = ["name", "scope", "every", "usd", "thresholds"];
const DEFAULTS: FileEntry = { thresholds: DEFAULT_THRESHOLDS.map(({ on, pct }) => ({ on, pct })) };

/** A budget as the file has it: its limit in dollars, its scope by the words that money is spent under. */
export function budgetEntry({
  name,
  selector,
  every,
  micros,
  thresholds,
}: Omit<Budget, "id" | "fromDay" | "version">): FileEntry {
  const plain = thresholds.map(({ on, pct }) => ({ on, pct }));
  return entryIn(ORDER, { name, scope: selector, every, usd: dollarsText(micros), thresholds: plain }, DEFAULTS);
}

/** What the budgets of a file would change. */
export function planBudgets(entries: readonly FileEntry[], existing: readonly Budget[]): Plan<NewBudget> {
  const keyOf = ({ selector, every }: Pick<Budget, "selector" | "every">) => `${every} ${scopeWords(selector)}`;
  return planSection<NewBudget>({
    of: "budget",
    entries,
    existing: existing.map((budget) => ({ id: budget.id, name: budget.name, entry: budgetEntry(budget) })),
    read: ({ scope, usd, ...entry }) =>
      NewBudget.safeParse({ ...entry, selector: scope ?? {}, usd: usd === undefined ? usd : String(usd) }),
    entryOf: ({ usd, ...rest }) => budgetEntry({ ...rest, micros: usd }),
    refuse: (input, id) => {
      if (input.name === "") return "name: Give it a name";
      const twin = existing.find((one) => one.id !== id && keyOf(one) === keyOf(input));
      return twin ? `scope: ${twin.name} is a budget for the same scope and period` : null;
    },
  });
}
