import { contentOf } from "@/lib/db/cost/close";
import { listGaps } from "@/lib/db/cost/close-facts";
import { streamFocus } from "@/lib/db/cost/focus";
import { findPeriod } from "@/lib/db/cost/periods";
import { readSetting } from "@/lib/db/settings";
import { authorize, type Ctx } from "@/lib/domain/access";
import { monthRange } from "@/lib/domain/cost/zone";
import { focusHead, focusLine } from "@/lib/domain/focus/file";
import { columnsOf, FocusTally, timeSectors } from "@/lib/domain/focus/metadata";
import { focusRows } from "@/lib/domain/focus/rows";
import type { FocusMetadata, FocusQuestion } from "@/lib/domain/focus/view";
import { startStream } from "@/lib/services/turns";

/** A month of the ledger as FOCUS "Cost and Usage", from the rows that every page sums. */
export async function exportFocus(
  ctx: Ctx,
  { month, version }: FocusQuestion,
): Promise<{ name: string; lines: AsyncGenerator<string> }> {
  authorize(ctx, "cost:read");
  authorize(ctx, "export");
  const zone = await zoneOf(month);
  const lines = async function* () {
    yield focusHead(version);
    for await (const sources of streamFocus(month))
      yield sources
        .flatMap((source) => focusRows(source, zone))
        .map((row) => focusLine(row, version))
        .join("");
  };
  return { name: `hopperdeck-focus-${version}-${month}.csv`, lines: await startStream(lines()) };
}

/** What belongs beside that file: its columns, its sums, and what is not in it. */
export async function readFocusMetadata(ctx: Ctx, { month, version }: FocusQuestion): Promise<FocusMetadata> {
  authorize(ctx, "cost:read");
  authorize(ctx, "export");
  const zone = await zoneOf(month);
  const now = ctx.now.getTime();
  const range = monthRange(month, zone);
  const tally = new FocusTally();
  let revision = "";
  const rows = await startStream(
    streamFocus(month, async (client) => {
      revision = (await contentOf(month, client)).hash;
    }),
  );
  for await (const sources of rows) for (const source of sources) tally.add(source, focusRows(source, zone));
  const [period, gaps] = await Promise.all([
    findPeriod(month),
    listGaps(new Date(range.from), new Date(Math.max(range.from, Math.min(range.to, now)))),
  ]);
  return {
    focusVersion: version,
    dataset: "Cost and Usage",
    generator: "Hopperdeck",
    month,
    accountingZone: zone,
    billingPeriodBasis: "calendar_month",
    billingPeriodStatus: period.status === "closed" ? "Closed" : "Open",
    createdAt: ctx.now.toISOString(),
    dataRevision: revision,
    ...tally.result(),
    recency: { timeSectors: timeSectors(range, gaps, now) },
    columns: columnsOf(version),
  };
}

/** A closed month keeps the zone in which it was closed. */
async function zoneOf(month: string): Promise<string> {
  const [{ zone }, period] = await Promise.all([readSetting("accounting"), findPeriod(month)]);
  return period.status === "closed" && period.zone !== "" ? period.zone : zone;
}
