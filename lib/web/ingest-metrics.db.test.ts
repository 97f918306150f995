import { gzipSync } from "node:zlib";
import { beforeEach, expect, test, vi } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { prepareHouse } from "@/lib/services/house";
import { emptyDatabase } from "@/lib/testing/empty";
import { makeToken } from "@/lib/testing/senders";
import { count } from "@/lib/testing/world";
import { takeMetrics } from "./ingest-metrics";

vi.mock("server-only", () => ({}));

const NOON = Date.UTC(2026, 10, 21, 12);
const LINE = 'DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",Hostname="gh-1"} 97';
const GZIP = { "content-encoding": "gzip" };
let secret = "";

beforeEach(async () => {
  await emptyDatabase();
  await setTestClock(new Date(NOON));
  await prepareHouse(systemCtx("test", new Date(NOON)));
  ({ secret } = await makeToken("ingest", NOON));
});

type Answer = { accepted?: number; problems?: string[]; error?: { code: string; message: string } };

async function post(body: BodyInit, headers: Record<string, string> = {}, query = "") {
  const request = new Request(`http://localhost/api/v1/ingest/metrics${query}`, {
    method: "POST",
    body,
    headers: { "content-type": "text/plain; version=0.0.4", authorization: `Bearer ${secret}`, ...headers },
  });
  const response = await takeMetrics(request);
  const answer: Answer = await response.json();
  return { status: response.status, ...answer };
}

const stored = () => count("select 1 from gpu_sample");

test.each<[string, BodyInit, Record<string, string>]>([
  ["text", `${LINE}\n`, {}],
  ["OpenMetrics", `${LINE}\n# EOF\n`, { "content-type": "application/openmetrics-text; version=1.0.0; charset=utf-8" }],
  ["zipped text", gzipSync(`${LINE}\n`), GZIP],
])("a page is taken as %s", async (_, body, headers) => {
  expect(await post(body, headers)).toMatchObject({ status: 200, accepted: 1, problems: [] });
  expect(await count("select 1 from telemetry_source where kind = 'push' and hostname = 'gh-1'")).toBe(1);
  expect(await stored()).toBe(1);
});

test("the machine is the one that the address names", async () => {
  expect((await post(`${LINE}\n`, {}, "?host=gh-2")).status).toBe(200);
  expect(await count("select 1 from telemetry_source where hostname = 'gh-2'")).toBe(1);
});

test("a bad line is told by its number, and the others are kept", async () => {
  const answer = await post(
    `${LINE}\nDCGM_FI_DEV_GPU_TEMP{gpu="0" 4\nDCGM_FI_DEV_SM_CLOCK{gpu="0",UUID="GPU-1"} 100\n`,
  );
  expect(answer).toMatchObject({ status: 200, accepted: 1 });
  expect(answer.problems?.[0]).toMatch(/^line 2: /);
  expect(await count("select 1 from gpu_sample where utilization_pct = 97 and sm_clock_mhz = 100")).toBe(1);
});

test.each<[string, () => BodyInit, Record<string, string>, number]>([
  ["nothing", () => "", {}, 400],
  ["a web page", () => "<html><body>hello</body></html>", {}, 400],
  [
    "text that is not UTF-8",
    () => Buffer.concat([Buffer.from(LINE.slice(0, 40)), Buffer.from([0xff]), Buffer.from(LINE.slice(40))]),
    {},
    400,
  ],
  ["JSON", () => "{}", { "content-type": "application/json" }, 415],
  ["the version of another format", () => LINE, { "content-type": "text/plain; version=1.0.0" }, 415],
  ["brotli", () => LINE, { "content-encoding": "br" }, 415],
  ["a bomb of 200 MiB in 204 KB", () => gzipSync(Buffer.alloc(200 * 1024 * 1024)), GZIP, 413],
  ["more than 4 MiB", () => `${LINE}\n`.repeat(80_000), {}, 413],
  ["a million labels", () => `a{${Array.from({ length: 300_000 }, (_, i) => `l${i}="x"`).join(",")}} 1\n`, {}, 413],
  ["more samples than a machine has", () => gzipSync(`${LINE} 1\na 1\n`.repeat(80_000)), GZIP, 413],
])("%s is refused, and nothing is stored", async (_, body, headers, status) => {
  expect((await post(body(), headers)).status).toBe(status);
  expect(await stored()).toBe(0);
});
