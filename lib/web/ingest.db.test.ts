import { gzipSync } from "node:zlib";
import { beforeEach, expect, test, vi } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { prepareHouse } from "@/lib/services/house";
import { emptyDatabase } from "@/lib/testing/empty";
import { makeToken, reading, report } from "@/lib/testing/senders";
import { count } from "@/lib/testing/world";
import { takeReport } from "./ingest";

vi.mock("server-only", () => ({}));

const NOON = Date.UTC(2026, 10, 21, 12);
const REPORT = report([reading(NOON - 10_000), reading(NOON)]);
let secret = "";

beforeEach(async () => {
  await emptyDatabase();
  await setTestClock(new Date(NOON));
  await prepareHouse(systemCtx("test", new Date(NOON)));
  ({ secret } = await makeToken("ingest", NOON));
});
async function post(body: BodyInit, headers: Record<string, string> = {}, bearer = secret) {
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    body,
    headers: { ...(bearer && { authorization: `Bearer ${bearer}` }), ...headers },
    duplex: "half",
  };
  const response = await takeReport(new Request("http://localhost/api/v1/ingest/nvidia-smi", init));
  const answer: { accepted?: number; error?: { code: string; message: string } } = await response.json();
  return { status: response.status, ...answer };
}

const GZIP = { "content-encoding": "gzip" };
const stored = () => count("select 1 from gpu_sample");

test.each<[string, BodyInit, Record<string, string>]>([
  ["as it is", REPORT, {}],
  ["zipped", gzipSync(REPORT), GZIP],
  ["zipped, in several pieces", new Blob([gzipSync(REPORT).subarray(0, 50), gzipSync(REPORT).subarray(50)]), GZIP],
])("a report is taken %s", async (_, body, headers) => {
  expect(await post(body, headers)).toMatchObject({ status: 200, accepted: 2 });
  expect(await stored()).toBe(2);
});

test.each<[string, () => BodyInit, Record<string, string>, number]>([
  ["an encoding that nobody asked for", () => REPORT, { "content-encoding": "br" }, 415],
  ["two encodings", () => gzipSync(REPORT), { "content-encoding": "gzip, gzip" }, 415],
  ["gzip that is none", () => REPORT, GZIP, 400],
  ["gzip that was cut off", () => gzipSync(REPORT).subarray(0, -20), GZIP, 400],
  ["a bomb of 200 MiB in 204 KB", () => gzipSync(Buffer.alloc(200 * 1024 * 1024)), GZIP, 413],
  ["more than 4 MiB", () => "x".repeat(4 * 1024 * 1024 + 1), {}, 413],
  ["nothing", () => "", {}, 400],
  ["a web page", () => "<html><body>hello</body></html>", {}, 400],
])("%s is refused, and nothing is stored", async (_, body, headers, status) => {
  expect((await post(body(), headers)).status).toBe(status);
  expect(await stored()).toBe(0);
});

test.each([
  ["without a token", "", 401],
  ["with a made-up token", "hd_0123456789ab_nothing", 401],
])("a report %s is refused before it is read", async (_, bearer, status) => {
  expect(await post(REPORT, {}, bearer)).toMatchObject({ status, error: { code: "unauthenticated" } });
  expect(await stored()).toBe(0);
});

test("a body that stops arriving is not taken for a whole one: its sender is asked to send it again", async () => {
  const [part = ""] = REPORT.split("GPU-1");
  const stalled = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(`${part}GPU-1`));
    },
  });
  expect(await post(stalled)).toMatchObject({ status: 503, error: { code: "unavailable" } });
  expect(await stored()).toBe(0);
});
