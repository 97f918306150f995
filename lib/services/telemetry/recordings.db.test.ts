import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { ensurePartitions } from "@/lib/db/telemetry/partitions";
import { systemCtx } from "@/lib/domain/access";
import { readGpus } from "@/lib/services/fleet/instance";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import { recordListing } from "@/lib/services/fleet/poll";
import { emptyDatabase } from "@/lib/testing/empty";
import { instance, makeToken } from "@/lib/testing/senders";
import { count } from "@/lib/testing/world";
import { ingest } from "./ingest";

const HOUR = 3_600_000;
const NOON = Date.UTC(2026, 10, 21, 12);

beforeEach(() => emptyDatabase());

async function sender() {
  const now = new Date(NOON);
  const applied = await recordListing(systemCtx("test", now), await lambdaConnection(now), [instance("gh-1")], 100);
  const resourceId = applied?.ids.get("gh-1") ?? "";
  return { ...(await makeToken("enrolment", NOON, { resourceId })), resourceId };
}

const shared = process.env.SHARED_DIR ?? "../shared";
const folder = join(shared, "fixtures/nvidia-smi");
const skipped = existsSync(folder) ? "" : ` (skipped: ${folder} is absent)`;

describe.skipIf(skipped !== "")(`recordings, from the sender to the page${skipped}`, () => {
  type Shown = Partial<Awaited<ReturnType<typeof readGpus>>[number]>;
  const captures = "captures/sections/linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01";
  const cases: [string, string, Shown[]][] = [
    [
      "an idle H100",
      `${captures}/idle.query-gpu.csv`,
      [
        {
          memoryUsedMib: 0,
          utilizationPct: 0,
          temperatureC: 41,
          powerW: 69.85,
          memoryTotalMib: 81_559,
          powerLimitW: 700,
        },
      ],
    ],
    [
      "an H100 at work",
      `${captures}/load.query-gpu.csv`,
      [
        {
          memoryUsedMib: 19_818,
          utilizationPct: 100,
          temperatureC: 59,
          powerW: 631.95,
          model: "NVIDIA H100 80GB HBM3",
        },
      ],
    ],
    [
      "a T4 by XML",
      "telegraf/tesla-t4.xml",
      [{ memoryUsedMib: 1_032, memoryTotalMib: 15_360, temperatureC: 40, powerW: 26.78 }],
    ],
    [
      "a GH200 by -q",
      "gls/GH200__q.txt",
      [{ memoryUsedMib: 2, memoryTotalMib: 97_871, memoryTemperatureC: 39, powerW: 87.88, powerLimitW: 700 }],
    ],
    [
      "a GH200 by the table in a container's log",
      "gh200/lambda-gh200-container-specs_2025-04.md",
      [{ memoryUsedMib: 1, memoryTotalMib: 97_871, temperatureC: 33, powerW: 86, model: "NVIDIA GH200 480GB" }],
    ],
    ["two cards whose average power is N/A", "telegraf/dual_2080-v13.xml", [{ powerW: 1 }, { powerW: 1.62 }]],
  ];

  test.each(cases)("%s", async (_, path, expected) => {
    const body = readFileSync(join(folder, path), "utf8");
    const newest = new Date(instantOf(body));
    await ensurePartitions(new Date(newest.getTime() - 24 * HOUR), new Date(newest.getTime() + 24 * HOUR));
    const { token, resourceId } = await sender();
    const answer = await ingest(token, body, new Date(newest.getTime() + 5_000));
    expect(answer).toMatchObject({ accepted: expected.length, refused: [] });
    const round = (gpu: Shown): Shown => ({ ...gpu, powerW: Math.round((gpu.powerW ?? 0) * 100) / 100 });
    expect((await readGpus(resourceId)).map(round)).toMatchObject(expected);
    expect(await count("select 1 from gpu_sample")).toBe(expected.length);
  });

  /** The instant that nvidia-smi wrote into its print. */
  function instantOf(body: string): number {
    const [, day, time] = /^timestamp,[^\n]*\n(\d{4}\/\d\d\/\d\d) (\d\d:\d\d:\d\d)/.exec(body) ?? [];
    const said = day
      ? `${day.replaceAll("/", "-")}T${time}Z`
      : `${/(?:<timestamp>|^Timestamp +: |^)([A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})/m.exec(body)?.[1]} UTC`;
    return Number.isNaN(Date.parse(said)) ? NOON : Date.parse(said);
  }
});
