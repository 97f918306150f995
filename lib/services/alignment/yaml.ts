import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, stringify } from "yaml";
import {
  DECLARATION_BYTES,
  Declaration,
  type DeclarationProblem,
  type Group,
  pathText,
} from "@/lib/domain/alignment/declaration";

export type ReadDeclaration =
  | { declaration: Declaration; problems: []; lineOf: (path: readonly (string | number)[]) => number | null }
  | { declaration: null; problems: DeclarationProblem[] };

const MOST_PROBLEMS = 50;

/** Reads a declaration. Everything in it is text at first, so that 12.10 stays 12.10; each complaint names its line. */
export function readDeclaration(text: string): ReadDeclaration {
  const refuse = (line: number | null, path: string, message: string): ReadDeclaration => ({
    declaration: null,
    problems: [{ line, path, message }],
  });
  if (new TextEncoder().encode(text).length > DECLARATION_BYTES)
    return refuse(null, "", `The document is larger than ${DECLARATION_BYTES / 1_000} kB.`);
  if (text.trim() === "") return refuse(1, "", "The document is empty.");
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: "failsafe",
    lineCounter: lines,
    uniqueKeys: true,
    prettyErrors: false,
  });
  const [broken] = document.errors;
  if (broken) {
    return {
      declaration: null,
      problems: document.errors.slice(0, MOST_PROBLEMS).map(({ pos, message }) => ({
        line: lines.linePos(pos[0]).line,
        path: "",
        message: `This is no YAML: ${message}`,
      })),
    };
  }
  const lineOf = (path: readonly (string | number)[]) => lineOfPath(document.contents, path, lines);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 50 });
  } catch {
    return refuse(null, "", "It refers to itself too often to be read.");
  }
  const read = Declaration.safeParse(value);
  if (read.success) return { declaration: read.data, problems: [], lineOf };
  const problems = read.error.issues.slice(0, MOST_PROBLEMS).map((issue): DeclarationProblem => {
    const path = issue.path.filter((part) => typeof part !== "symbol");
    // A key that nobody knows is named by the issue, not by its path.
    const unknown = issue.code === "unrecognized_keys" ? (issue.keys[0] ?? "") : null;
    return {
      line: lineOf(unknown === null ? path : [...path, unknown]),
      path: pathText(unknown === null ? path : [...path, unknown]),
      message: unknown === null ? issue.message : "is not known here",
    };
  });
  return { declaration: null, problems };
}

/** The line of what a path leads to, or of the nearest thing around it. */
function lineOfPath(root: unknown, path: readonly (string | number)[], lines: LineCounter): number | null {
  let node: unknown = root;
  let at = offsetOf(root);
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!pair) break;
      at = offsetOf(pair.key) ?? at;
      node = pair.value;
    } else if (isSeq(node) && typeof part === "number") {
      node = node.items[part];
      at = offsetOf(node) ?? at;
    } else break;
  }
  return at === null ? null : lines.linePos(at).line;
}

function offsetOf(node: unknown): number | null {
  return (node as Node | null | undefined)?.range?.[0] ?? null;
}

type Written = Omit<Partial<Group>, "pools" | "count" | "memoryGb" | "gpusPerInstance" | "pricePerHour"> & {
  name: string;
  instanceType: string;
  gpu: string;
  gpusPerInstance: number;
  memoryGb: number;
  count: number;
  pricePerHour?: string;
};

/** A declaration as text, to be read and edited by people. */
export function writeDeclaration(
  fleet: string,
  hoursPerMonth: number,
  groups: readonly Written[],
  remark: string,
): string {
  const head = remark
    .split("\n")
    .map((line) => `# ${line}\n`)
    .join("");
  const document = { version: 1, fleet, hoursPerMonth, undeclared: "report", groups };
  return `${head}${stringify(document, { lineWidth: 120 })}`;
}
