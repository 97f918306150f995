import { parseReport } from "./agent-report";
import { type PrintFormat, readPrint } from "./print";
import type { Report } from "./report";

/** A text that opens one of the agent's sections. */
const SECTION = /^#(?:agent|gpu|apps|error)(?: |$)/m;

/** Reads any text that ingest takes, and says what it was. Never throws. */
export function parseOutput(text: string, receivedAt: number): Report & { format: PrintFormat | "agent report" } {
  if (SECTION.test(text)) return { ...parseReport(text, receivedAt), format: "agent report" };
  return readPrint(text, receivedAt);
}
