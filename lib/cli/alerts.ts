import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import { ZodError } from "zod";
import { checkTraces } from "@/lib/domain/alerts/cases";
import { PRODUCT_SEMANTICS } from "@/lib/domain/alerts/semantics";
import { PromqlError } from "@/lib/domain/prometheus/lex";
import { readRuleFiles } from "@/lib/domain/prometheus/rule-file";
import { type AssertionResult, RuleTestFile, runRuleTests } from "@/lib/domain/prometheus/rule-tests";
import { typedPath } from "./typed-path";
import { readArguments, UsageError } from "./usage";

const SHOWN = 20;

/** Tests of rules and recorded traces, judged by the product's own evaluator: no database, no network. */
export async function alerts(given: string[]): Promise<number> {
  const { words, options } = readArguments(given);
  const [verb, file, ...more] = words;
  const semantics = options.semantics ?? "prometheus-2.42";
  if (semantics !== "prometheus-2.42" && semantics !== "product")
    throw new UsageError("--semantics is prometheus-2.42 or product.");
  if (file === undefined || more.length > 0) throw new UsageError("alerts wants test FILE or cases FILE.");
  try {
    if (verb === "cases") return cases(file, semantics);
    if (verb === "test") return test(typedPath(file), semantics);
  } catch (error) {
    process.stderr.write(`${file}: ${whatIsWrong(error)}\n`);
    return 1;
  }
  throw new UsageError(`There is no command alerts ${verb}.`);
}

function cases(file: string, semantics: "prometheus-2.42" | "product"): number {
  const { traces, states, differences } = checkTraces(JSON.parse(readFileSync(typedPath(file), "utf8")), semantics);
  const wrong = new Map<string, (typeof differences)[number]>();
  for (const one of differences) if (!wrong.has(`${one.case} ${one.rule}`)) wrong.set(`${one.case} ${one.rule}`, one);
  for (const { case: index, rule, step, expected, actual } of [...wrong.values()].slice(0, SHOWN))
    console.log(`case ${index}, ${rule}, step ${step}: expected ${expected ?? "nothing"}, got ${actual ?? "nothing"}`);
  if (wrong.size > SHOWN) console.log(`and ${wrong.size - SHOWN} more`);
  console.log(`${states} states under ${semantics}`);
  console.log(`${traces - wrong.size} passed, ${wrong.size} failed`);
  return wrong.size === 0 && traces > 0 ? 0 : 1;
}

function test(file: string, semantics: "prometheus-2.42" | "product"): number {
  const tests = RuleTestFile.parse(readYaml(file));
  const files = tests.rule_files.flatMap((pattern) => matching(path.resolve(path.dirname(file), pattern)));
  const rules = readRuleFiles(files.map(readYaml));
  for (const { name, group, why } of rules.left) console.log(`not taken: ${name} (${group}): ${why}`);
  const profile = semantics === "product" ? PRODUCT_SEMANTICS(tests.evaluation_interval) : undefined;
  const results = runRuleTests(tests, rules, profile);
  for (const { test: name, alert, at, result, why } of results)
    if (result !== "passed")
      console.log(`${result === "failed" ? "FAILED" : "not run"}: ${name}, ${alert} at ${at / 1_000} s: ${why}`);
  const count = (wanted: AssertionResult["result"]) => results.filter(({ result }) => result === wanted).length;
  console.log(`${count("passed")} passed, ${count("failed")} failed, ${count("not_run")} not run`);
  return count("failed") === 0 && count("passed") > 0 ? 0 : 1;
}

function readYaml(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8"), { schema: "failsafe", merge: true, maxAliasCount: 1_000 });
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : "unreadable"}`);
  }
}

/** The files that a path with `*` in its last part means, in the order of their names. */
function matching(pattern: string): string[] {
  const name = path.basename(pattern);
  if (!/[*?]/.test(name)) return [pattern];
  const shape = new RegExp(
    `^${name
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", "[^/]*")
      .replaceAll("?", "[^/]")}$`,
  );
  const folder = path.dirname(pattern);
  return readdirSync(folder)
    .filter((one) => shape.test(one))
    .sort()
    .map((one) => path.join(folder, one));
}

function whatIsWrong(error: unknown): string {
  if (error instanceof ZodError) {
    const [issue] = error.issues;
    return `is not such a file: ${issue?.path.join(".") || "it"} ${issue?.message ?? "is not understood"}`;
  }
  if (
    error instanceof PromqlError ||
    error instanceof RangeError ||
    error instanceof SyntaxError ||
    error instanceof UsageError
  )
    return error.message;
  if ((error as NodeJS.ErrnoException).code === "ENOENT") return "there is no such file";
  throw error;
}
