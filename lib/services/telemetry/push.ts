import type { Token } from "@/lib/db/tokens";
import type { Format } from "@/lib/domain/exposition/parse";
import { parseMetricsPage } from "@/lib/domain/telemetry/from-metrics";
import { emptyReport } from "@/lib/domain/telemetry/report";
import { textOrNull } from "@/lib/domain/telemetry/text";
import { AppError } from "@/lib/errors";
import { type IngestAnswer, refuseUseless, takeIn } from "./take-in";

export type PushedPage = {
  text: string;
  format: Format;
  /** The machine, where the sender names it; else the page itself may. */
  host: string | null;
};

/** Takes a pushed metrics page of one machine in. Bad lines are told and left out; the page is refused only where all of it is bad. */
export async function takePage(token: Token, page: PushedPage, receivedAt: Date): Promise<IngestAnswer> {
  const found = parseMetricsPage(page.text, receivedAt.getTime(), { format: page.format, isForgiving: true });
  const tooLarge = found.problems.find(({ kind }) => kind === "too_large");
  if (tooLarge) throw new AppError("too-large", `The page is too large: ${tooLarge.message}. Nothing was stored.`);
  const { batches, problems, sightings, labelled, processes } = found;
  const report = { ...emptyReport(), batches, problems, sightings, labelled, processes };
  const hostname = textOrNull(page.host, 100) ?? found.hostname ?? "unnamed";
  const [answer] = await takeIn([{ sender: { kind: "push", token, hostname, privateIp: null }, report }], receivedAt);
  if (!answer) throw new Error("a page without an answer");
  refuseUseless(report, answer);
  return answer;
}
