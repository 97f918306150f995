import type { Token } from "@/lib/db/tokens";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import type { Report } from "@/lib/domain/telemetry/report";
import { AppError } from "@/lib/errors";
import { Gathering } from "@/lib/services/gathering";
import { type IngestAnswer, refuseUseless, type Sender, takeIn } from "./take-in";

type Received = { sender: Sender; report: Report; receivedAt: Date };

/** A fleet reports in bursts: what waits for a transaction shares the next one. */
const together = new Gathering<Received, IngestAnswer>(
  (given) => takeIn(given, new Date(Math.max(...given.map(({ receivedAt }) => receivedAt.getTime())))),
  ({ report }) => report.batches.reduce((sum, { readings }) => sum + readings.length, 1),
  { lanes: 3, most: 64, heaviest: 4_000 },
);

/** Takes one report of the agent in, or what nvidia-smi printed. */
export async function ingest(token: Token, body: string, receivedAt: Date): Promise<IngestAnswer> {
  const report = parseReport(body, receivedAt.getTime());
  const tooLarge = report.problems.find((problem) => problem.kind === "too_large");
  if (tooLarge)
    throw new AppError(
      "too-large",
      `The report is too large: ${tooLarge.message}. Send it in parts; nothing was stored.`,
    );
  const unknown = report.problems.find((problem) => problem.kind === "unsupported_protocol");
  if (unknown)
    throw new AppError(
      "invalid",
      `The report cannot be read: ${unknown.message}. Nothing was stored; update the older side.`,
    );
  const hostname = report.agent?.hostname || "unnamed";
  const sender = { kind: "agent" as const, token, hostname, privateIp: report.agent?.ip ?? null };
  const answer = await together.add({ sender, report, receivedAt });
  refuseUseless(report, answer);
  return answer;
}
