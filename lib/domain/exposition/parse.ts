import { OpenMetricsReader } from "./openmetrics";
import { PAGE_LIMITS, type Page, type PageProblem, type Sample } from "./page";
import { TextReader } from "./text";

export type Format = "text" | "openmetrics";

/** Which of the two a `Content-Type` names; null for neither. */
export function formatOf(contentType: string | null): Format | null {
  const [type = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  if (type.trim() === "application/openmetrics-text") return "openmetrics";
  if (type.trim() !== "text/plain") return null;
  const version = parameters.map((one) => one.trim()).find((one) => one.startsWith("version="));
  return version === undefined || version === "version=0.0.4" ? "text" : null;
}

/** Which of the two a page is, by what only OpenMetrics has: its last line, or a `# UNIT`. */
export function sniffFormat(text: string): Format {
  return /\n# EOF\n?$|^# EOF\n?$/.test(text.slice(-8)) || /^# UNIT /m.test(text.slice(0, 65_536))
    ? "openmetrics"
    : "text";
}

/**
 * Reads a metrics page, Prometheus text 0.0.4 or OpenMetrics 1.0. Never throws. A page with one bad line is bad, as it is to
 * Prometheus: its samples are those before that line. With `isForgiving` the bad lines are reported and the others kept.
 */
export function parsePage(text: string, format: Format = sniffFormat(text), isForgiving = false): Page {
  const samples: Sample[] = [];
  const problems: PageProblem[] = [];
  if (text.length > PAGE_LIMITS.chars) {
    const message = `${text.length} characters; ${PAGE_LIMITS.chars} are read at most`;
    return { samples, types: new Map(), problems: [{ kind: "tooLarge", line: 1, message }] };
  }
  const reader = format === "text" ? new TextReader(text) : new OpenMetricsReader(text);
  const { cursor } = reader;
  let counted = { pos: 0, line: 1 };
  for (;;) {
    const from = cursor.pos;
    const sample = reader.next();
    if (sample !== null) {
      if (samples.length < PAGE_LIMITS.samples) samples.push(sample);
      else cursor.fail(`more than ${PAGE_LIMITS.samples} samples`, true);
    }
    if (cursor.problem === null) {
      if (sample === null) break;
      continue;
    }
    counted = countLines(text, counted, Math.max(from, Math.min(cursor.pos, text.length)));
    const kind = cursor.isTooLarge ? "tooLarge" : "malformed";
    problems.push({ kind, line: counted.line, message: cursor.problem });
    if (!isForgiving || cursor.isTooLarge || problems.length >= PAGE_LIMITS.problems || cursor.isAtEnd) break;
    cursor.problem = null;
    cursor.skipLine();
    cursor.pos += 1;
  }
  return { samples, types: reader.types, problems };
}

function countLines(text: string, from: { pos: number; line: number }, to: number): { pos: number; line: number } {
  let { line } = from;
  for (let i = text.indexOf("\n", from.pos); i >= 0 && i < to; i = text.indexOf("\n", i + 1)) line += 1;
  return { pos: to, line };
}
