import { beforeEach, describe, expect, test, vi } from "vitest";
import { setTestClock } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { prepareHouse } from "@/lib/services/house";
import { emptyDatabase } from "@/lib/testing/empty";
import { type WrittenSeries, writeBody } from "@/lib/testing/remote-write";
import { makeToken } from "@/lib/testing/senders";
import { count } from "@/lib/testing/world";
import { takeRemoteWrite } from "./ingest-write";

vi.mock("server-only", () => ({}));

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 24 * 3_600_000;
const STALE = new Uint8Array([2, 0, 0, 0, 0, 0, 0xf0, 0x7f]);
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
    headers: {
      "content-type": "application/x-protobuf",
      "content-encoding": "snappy",
      "x-prometheus-remote-write-version": "0.1.0",
      ...(bearer && { authorization: `Bearer ${bearer}` }),
      ...headers,
    },
    duplex: "half",
  };
  const response = await takeRemoteWrite(new Request("http://localhost/api/v1/write", init));
  return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") };
}

function series(name: string, samples: WrittenSeries["samples"], more: Record<string, string> = {}): WrittenSeries {
  const labels = {
    Hostname: "gh-1",
    UUID: "GPU-1",
    gpu: "0",
    instance: "10.0.0.5:9400",
    modelName: "NVIDIA GH200 480GB",
  };
  return { labels: { __name__: name, ...labels, ...more }, samples };
}

const stored = () => count("select 1 from gpu_sample");
const UTIL = "DCGM_FI_DEV_GPU_UTIL";
const POWER = "DCGM_FI_DEV_POWER_USAGE";
const TEMP = "DCGM_FI_DEV_GPU_TEMP";

describe("what is taken", () => {
  test("two machines, two GPUs, two instants: a row for each GPU and instant; sent again, nothing more", async () => {
    const both = [NOON - 30_000, NOON - 15_000];
    const body = writeBody(
      ["gh-1", "gh-2"].flatMap((Hostname) =>
        ["0", "1"].flatMap((gpu) =>
          [UTIL, POWER].map((name) =>
            series(
              name,
              both.map((at, i) => [10 + i, at] as const),
              { Hostname, gpu, UUID: `GPU-${Hostname}-${gpu}` },
            ),
          ),
        ),
      ),
    );
    expect(await post(body)).toMatchObject({ status: 204, text: "" });
    expect(await stored()).toBe(8);
    expect(await count("select 1 from telemetry_source where kind = 'remote_write'")).toBe(2);
    expect(await post(body)).toMatchObject({ status: 204 });
    expect(await stored()).toBe(8);
  });

  test("one row that its sender split over two requests is one row", async () => {
    expect((await post(writeBody([series(UTIL, [[97, NOON]])]))).status).toBe(204);
    expect((await post(writeBody([series(POWER, [[400, NOON]])]))).status).toBe(204);
    expect(await stored()).toBe(1);
    expect(await count("select 1 from gpu_sample where utilization_pct = 97 and power_w = 400")).toBe(1);
  });

  test("out of order, and twice in one request", async () => {
    const body = writeBody([
      series(UTIL, [
        [3, NOON],
        [1, NOON - 30_000],
        [2, NOON - 15_000],
        [2, NOON - 15_000],
      ]),
    ]);
    expect((await post(body)).status).toBe(204);
    expect(await stored()).toBe(3);
  });

  test("a stale marker is no value; NaN, infinities and what cannot be true are missing", async () => {
    const wrong = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e308, -1, 101];
    const body = writeBody([
      series(UTIL, [[STALE, NOON - 120_000], ...wrong.map((value, i) => [value, NOON - i * 1000] as const)]),
      series(
        POWER,
        wrong.map((_, i) => [400, NOON - i * 1000] as const),
      ),
    ]);
    expect((await post(body)).status).toBe(204);
    expect(await stored()).toBe(6);
    expect(await count("select 1 from gpu_sample where utilization_pct is null and power_w = 400")).toBe(6);
  });

  test("an existing Prometheus sends all that it has: what is of no use here is no fault and leaves no trace", async () => {
    const body = writeBody([
      { labels: { __name__: "node_load1", instance: "web-1:9100" }, samples: [[1, NOON]] },
      { labels: { __name__: "http_request_duration_seconds_count", instance: "web-1:80" }, samples: [[1, NOON]] },
    ]);
    expect(await post(body)).toMatchObject({ status: 204 });
    expect(await count("select 1 from telemetry_source")).toBe(0);
  });

  test("values of a model server", async () => {
    const labels = { __name__: "vllm:generation_tokens_total", instance: "10.0.0.5:8000", model_name: "m" };
    expect((await post(writeBody([{ labels, samples: [[10, NOON]] }]))).status).toBe(204);
    expect(await count("select 1 from series where metric = 'tokens_total'")).toBe(1);
  });

  test.each<[string, Record<string, string>]>([
    ["the headers that other senders leave out", { "x-prometheus-remote-write-version": "1.0.0" }],
    ["the message by its name", { "content-type": "application/x-protobuf;proto=prometheus.WriteRequest" }],
  ])("%s", async (_, headers) => {
    expect((await post(writeBody([series(UTIL, [[1, NOON]])]), headers)).status).toBe(204);
    expect(await stored()).toBe(1);
  });
});

describe("what is refused by itself, while the rest is stored", () => {
  test.each([
    ["the year 1970", 0, "too old"],
    ["three days ago", NOON - 3 * DAY, "too old"],
    ["the year 2100", Date.UTC(2100, 0, 1), "future"],
    ["the end of time", Number.MAX_SAFE_INTEGER, "future"],
  ])("%s", async (_, at, why) => {
    const answer = await post(
      writeBody([
        series(UTIL, [
          [97, NOON],
          [1, at],
        ]),
      ]),
    );
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(`1 × ${why}`);
    expect(await stored()).toBe(1);
  });

  test("another value for an instant that is stored", async () => {
    await post(writeBody([series(UTIL, [[97, NOON]])]));
    const answer = await post(writeBody([series(UTIL, [[98, NOON]]), series(UTIL, [[5, NOON - 1000]])]));
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("conflict") });
    expect(await count("select 1 from gpu_sample where utilization_pct = 97")).toBe(1);
    expect(await stored()).toBe(2);
  });

  test("a series without a name, and one without a GPU", async () => {
    const nameless = { labels: { gpu: "0" }, samples: [[1, NOON] as const] };
    const placeless = { labels: { __name__: TEMP, Hostname: "gh-1" }, samples: [[1, NOON] as const] };
    const answer = await post(writeBody([nameless, placeless, series(UTIL, [[97, NOON]])]));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("1 × a series without __name__");
    expect(answer.text).toContain(`1 × ${TEMP} without a label that names its GPU`);
    expect(await stored()).toBe(1);
  });
});

describe("what is refused whole", () => {
  const bomb = new Uint8Array(3_000_000).fill(0xfe);
  bomb.set([0x80, 0x80, 0x80, 0x64]);
  test.each<[string, () => BodyInit, Record<string, string>, number]>([
    ["no protobuf", () => "hello", {}, 400],
    ["nothing", () => "", {}, 400],
    ["a block that was cut off", () => writeBody([series(UTIL, [[1, NOON]])]).slice(0, -9), {}, 400],
    ["a promise of 4 GiB", () => new Uint8Array([0xff, 0xff, 0xff, 0xff, 0x0f, 0]), {}, 413],
    ["200 MiB in 3 MB", () => bomb, {}, 413],
    ["100 MB as they are", () => new Uint8Array(100_000_000), {}, 413],
    ["gzip", () => writeBody([]), { "content-encoding": "gzip" }, 415],
    ["brotli", () => writeBody([]), { "content-encoding": "br" }, 415],
    ["JSON", () => "{}", { "content-type": "application/json" }, 415],
    [
      "remote write 2.0",
      () => writeBody([]),
      { "content-type": "application/x-protobuf;proto=io.prometheus.write.v2.Request" },
      415,
    ],
    ["version 2.0.0", () => writeBody([]), { "x-prometheus-remote-write-version": "2.0.0" }, 415],
  ])("%s", async (_, body, headers, status) => {
    const answer = await post(body(), headers);
    expect(answer.status).toBe(status);
    expect(answer.text.trim()).not.toBe("");
    expect(await stored()).toBe(0);
  });

  test("a million labels on one series", async () => {
    const labels = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`l${i}`, "x"]));
    const answer = await post(writeBody([series(UTIL, [[1, NOON]], labels)]));
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining("more than 64 labels") });
    expect(await stored()).toBe(0);
  });

  test.each([
    ["without a token", "", 401],
    ["with a made-up token", "hd_0123456789ab_nothing", 401],
  ])("%s", async (_, bearer, status) => {
    expect((await post(writeBody([series(UTIL, [[1, NOON]])]), {}, bearer)).status).toBe(status);
    expect(await stored()).toBe(0);
  });

  test("with a token for something else", async () => {
    const { secret: api } = await makeToken("api", NOON);
    expect((await post(writeBody([series(UTIL, [[1, NOON]])]), {}, api)).status).toBe(403);
  });

  test("a body that stops arriving is asked for again", async () => {
    const stalled = new ReadableStream({
      start(controller) {
        controller.enqueue(writeBody([series(UTIL, [[1, NOON]])]).slice(0, 20));
      },
    });
    expect((await post(stalled)).status).toBe(503);
    expect(await stored()).toBe(0);
  });
});
