import { ZodError } from "zod";
import { type CaseResult, type CostCase, checkCase, parseCostCases } from "@/lib/domain/cost/cases";
import { readBounded, writeOut } from "./file-input";
import { readArguments, UsageError } from "./usage";

const MOST_BYTES = 67_108_864;

/** Calculates every case of a file and says which figures differ. Fails where any does, and where there is none to calculate. */
export async function costCheck(given: string[]): Promise<number> {
  const [file, ...more] = readArguments(given).words;
  if (file === undefined || more.length > 0) throw new UsageError("cost check wants one file of worked cost cases.");
  const bytes = await readBounded(file, MOST_BYTES);
  if (bytes === null) return refuse(`${file} is larger than ${MOST_BYTES / 1_048_576} MiB. Check it in parts.`);
  const cases = understood(bytes);
  if (typeof cases === "string") return refuse(`${file} is not a file of worked cost cases: ${cases}.`);
  const results = cases.map(checkCase);
  const failed = results.filter(({ result }) => result !== "passed").length;
  await writeOut(`${[...results.map(told), `${results.length - failed} passed, ${failed} failed`].join("\n")}\n`);
  if (results.length === 0) return refuse(`${file} has no cases.`);
  return failed === 0 ? 0 : 1;
}

function refuse(why: string): number {
  process.stderr.write(`${why}\n`);
  return 1;
}

/** The cases, or why there are none. */
function understood(bytes: Buffer): CostCase[] | string {
  try {
    return parseCostCases(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    if (!(error instanceof ZodError))
      return `it is not JSON (${error instanceof Error ? error.message : "unreadable"})`;
    const [issue] = error.issues;
    return `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not understood"}`;
  }
}

function told({ id, kind, title, result, differences }: CaseResult): string {
  const name = [id, kind, title].filter((word) => word !== "").join("  ");
  if (result === "passed") return `pass  ${name}`;
  const lines =
    result === "unknown_kind" ? [`there is no calculation of the kind ${JSON.stringify(kind)}`] : differences;
  return [`FAIL  ${name}`, ...lines.map((line) => `      ${line}`)].join("\n");
}
