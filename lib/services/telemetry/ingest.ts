import type { Token } from "@/lib/db/tokens";
import { parseReport } from "@/lib/domain/telemetry/agent-report";
import { AppError } from "@/lib/errors";
import { type IngestAnswer, refuseUseless, takeIn } from "./take-in";

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
  const [answer] = await takeIn([{ sender, report }], receivedAt);
  if (!answer) throw new Error("a report without an answer");
  refuseUseless(report, answer);
  return answer;
}
