import { parseDecimal, times } from "@/lib/domain/cost/decimal";
import { groupBy } from "@/lib/domain/group";
import { focusNumber, isCurrency, isFocusInstant, isFocusString, isKeyValue, isSameNumber, isUnit } from "./formats";
import { type Check, ERRATA, type ModelRule, type RuleModel } from "./model";
import type { FocusRow } from "./rows";

export type Violation = {
  rule: string;
  /** MUST and MUST NOT; the rest is advice. */
  isError: boolean;
  sentence: string;
  /** Rows that break it, by their place; none where the file as a whole does. */
  rows: number[];
};

export type RuleReport = {
  violations: Violation[];
  /** Static rules that were run, those that do not apply to what is exported, and those that are prose. */
  ran: string[];
  notApplicable: string[];
  prose: string[];
};

type Table = { columns: ReadonlySet<string>; rows: readonly FocusRow[] };

/** Runs every executable rule of the official model on an exported file. `criteria`: what the provider supports. */
export function runRules(
  model: RuleModel,
  table: { columns: readonly string[]; rows: readonly FocusRow[] },
  criteria: ReadonlySet<string>,
): RuleReport {
  const run = new Run(model, { columns: new Set(table.columns), rows: table.rows }, criteria);
  for (const id of Object.keys(model.ModelRules))
    if (!run.isPart(id))
      run.walk(
        id,
        table.rows.map((_, i) => i),
        true,
      );
  return run.report();
}

class Run {
  readonly #rules: Readonly<Record<string, ModelRule>>;
  readonly #parts: ReadonlySet<string>;
  readonly #violations = new Map<string, Violation>();
  readonly #ran = new Set<string>();
  readonly #notApplicable = new Set<string>();
  readonly #prose = new Set<string>();

  constructor(
    model: RuleModel,
    private readonly table: Table,
    private readonly criteria: ReadonlySet<string>,
  ) {
    this.#rules = model.ModelRules;
    this.#parts = new Set(
      Object.values(model.ModelRules).flatMap((rule) => partsOf(rule.ValidationCriteria.Requirement)),
    );
  }

  /** Whether another rule refers to it: then it is run from there, on the rows that the other is about. */
  isPart(id: string): boolean {
    return this.#parts.has(id);
  }

  report(): RuleReport {
    const notApplicable = [...this.#notApplicable].filter((id) => !this.#ran.has(id));
    return {
      violations: [...this.#violations.values()],
      ran: [...this.#ran],
      notApplicable,
      prose: [...this.#prose],
    };
  }

  walk(id: string, rows: readonly number[], isApplicable: boolean): void {
    const rule = this.#rules[id];
    if (!rule) return;
    if (rule.Type === "Dynamic") {
      this.#prose.add(id);
      return;
    }
    const applies = isApplicable && rule.ApplicabilityCriteria.every((one) => this.criteria.has(one));
    (applies ? this.#ran : this.#notApplicable).add(id);
    const { Requirement: requirement, Condition: condition } = criteriaOf(id, rule);
    const meant = applies ? rows.filter((index) => this.holds(condition, this.row(index), "condition")) : [];
    if (requirement.CheckFunction === "AND") {
      const own = (requirement.Items ?? []).filter(({ CheckFunction }) => CheckFunction !== "CheckModelRule");
      for (const part of partsOf(requirement)) this.walk(part, meant, applies);
      if (applies && own.length > 0) this.judge(id, rule, { CheckFunction: "AND", Items: own }, meant);
    } else {
      for (const part of partsOf(requirement)) this.mark(part, applies);
      if (applies) this.judge(id, rule, requirement, meant);
    }
  }

  /** A rule of an alternative is judged within it, and never by itself. */
  private mark(id: string, isApplicable: boolean): void {
    const rule = this.#rules[id];
    if (!rule) return;
    if (rule.Type === "Dynamic") this.#prose.add(id);
    else (isApplicable ? this.#ran : this.#notApplicable).add(id);
  }

  private judge(id: string, rule: ModelRule, requirement: Check, rows: readonly number[]): void {
    const { Keyword: keyword, MustSatisfy: sentence } = rule.ValidationCriteria;
    if (keyword === "MAY") return;
    const broken = this.broken(requirement, rows);
    if (broken === null) return;
    this.#violations.set(id, { rule: id, isError: keyword.startsWith("MUST"), sentence, rows: broken });
  }

  /** Null: nothing is. */
  private broken(check: Check, rows: readonly number[]): number[] | null {
    if (check.CheckFunction === "ColumnPresent") return this.table.columns.has(check.ColumnName ?? "") ? null : [];
    const broken =
      check.CheckFunction === "CheckDistinctCount"
        ? this.manyFold(check, rows)
        : rows.filter((index) => !this.holds(check, this.row(index), "requirement"));
    return broken.length === 0 ? null : broken;
  }

  /** Rows whose A goes with more, or fewer, different B than it should. */
  private manyFold(
    { ColumnAName: a = "", ColumnBName: b = "", ExpectedCount }: Check,
    rows: readonly number[],
  ): number[] {
    const groups = groupBy(
      rows.filter((index) => value(this.row(index), a) !== null),
      (index) => value(this.row(index), a) ?? "",
    );
    return [...groups.values()]
      .filter(
        (group) =>
          new Set(group.map((index) => value(this.row(index), b)).filter((one) => one !== null)).size !== ExpectedCount,
      )
      .flat();
  }

  private row(index: number): FocusRow {
    return this.table.rows[index] ?? {};
  }

  private holds(check: Check, row: FocusRow, as: "condition" | "requirement"): boolean {
    const bracketed = check.AND;
    if (bracketed) return [bracketed].flat().every((one) => this.holds(one, row, as));
    const items = check.Items ?? [];
    switch (check.CheckFunction) {
      case undefined:
        return true;
      case "AND":
        return items.every((one) => this.holds(one, row, as));
      case "OR":
        return items.some((one) => this.holds(one, row, as));
      case "CheckModelRule":
        return this.holdsRule(check.ModelRuleId ?? "", row);
      default:
        return holdsCheck(check, row, as);
    }
  }

  private holdsRule(id: string, row: FocusRow): boolean {
    const rule = this.#rules[id];
    if (!rule || rule.Type === "Dynamic") return true;
    const { Requirement: requirement, Condition: condition } = criteriaOf(id, rule);
    return !this.holds(condition, row, "condition") || this.holds(requirement, row, "requirement");
  }
}

function criteriaOf(id: string, { ValidationCriteria }: ModelRule): { Requirement: Check; Condition: Check } {
  return { ...ValidationCriteria, ...ERRATA[id] };
}

function partsOf({ Items: items = [], ModelRuleId: id }: Check): string[] {
  return [...(id === undefined ? [] : [id]), ...items.flatMap(partsOf)];
}

function value(row: FocusRow, column: string | undefined): string | null {
  return column === undefined ? null : (row[column] ?? null);
}

type Format = (text: string) => boolean;

const FORMATS: Readonly<Record<string, Format>> = {
  TypeString: (text) => text !== "",
  TypeDecimal: (text) => focusNumber(text) !== null,
  TypeDateTime: (text) => !Number.isNaN(Date.parse(text)),
  FormatString: isFocusString,
  FormatNumeric: (text) => focusNumber(text) !== null,
  FormatDateTime: isFocusInstant,
  FormatUnit: isUnit,
  FormatKeyValue: isKeyValue,
  FormatCurrency: isCurrency,
  CheckNationalCurrency: isCurrency,
  CheckDecimalValue: (text) => focusNumber(text) !== null,
};

/** One check of one row. Nothing is said of null but by the checks that ask for it. Throws for a check that is not known. */
function holdsCheck(check: Check, row: FocusRow, as: "condition" | "requirement"): boolean {
  const text = value(row, check.ColumnName ?? check.CheckCondition);
  const format = FORMATS[check.CheckFunction ?? ""];
  if (format) return text === null || format(text);
  switch (check.CheckFunction) {
    case "CheckValue":
      return text === null && check.Value !== null ? as === "requirement" : isValue(text, check.Value);
    case "CheckNotValue":
      return !isValue(text, check.Value);
    case "CheckSameValue":
      return value(row, check.ColumnAName) === value(row, check.ColumnBName);
    case "CheckNotSameValue":
      return value(row, check.ColumnAName) !== value(row, check.ColumnBName);
    case "CheckGreaterOrEqualThanValue":
      return text === null || isAtLeast(text, Number(check.Value ?? 0));
    case "ColumnByColumnEqualsColumnValue":
      return isProduct(
        value(row, check.ColumnAName),
        value(row, check.ColumnBName),
        value(row, check.ResultColumnName),
      );
    default:
      throw new Error(`The rule model asks for ${check.CheckFunction}, which is not known here`);
  }
}

function isValue(text: string | null, wanted: Check["Value"]): boolean {
  if (text === null || wanted == null) return text === null && wanted == null;
  if (typeof wanted === "string") return text === wanted;
  const number = focusNumber(text);
  return number !== null && isSameNumber(number, parseDecimal(String(wanted)));
}

function isAtLeast(text: string, least: number): boolean {
  const number = focusNumber(text);
  const bound = parseDecimal(String(least));
  return number !== null && number.numerator * bound.denominator >= bound.numerator * number.denominator;
}

function isProduct(a: string | null, b: string | null, result: string | null): boolean {
  if (a === null || b === null || result === null) return true;
  const [x, y, z] = [focusNumber(a), focusNumber(b), focusNumber(result)];
  return x !== null && y !== null && z !== null && isSameNumber(times(x, y), z);
}
