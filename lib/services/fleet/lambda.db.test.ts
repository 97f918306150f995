import { afterAll, beforeAll, expect, test } from "vitest";
import { lambdaClient } from "@/lib/integrations/lambda/client";
import { DEFAULT_KEY, type Simulator, startSimulator } from "@/lib/simulator/start";
import { stubEnv, unstubEnv } from "@/lib/testing/env";
import { type Recorder, startRecorder } from "@/lib/testing/recorder";
import { lambdaConnection, lambdaOf } from "./lambda";

let cloud: Simulator;
let recorder: Recorder;
beforeAll(async () => {
  cloud = await startSimulator({ clock: "real" });
  recorder = await startRecorder(cloud.apiUrl, () => Date.now());
  stubEnv({ LAMBDA_API_URL: recorder.url, LAMBDA_API_KEY: DEFAULT_KEY });
});
afterAll(async () => {
  await recorder.close();
  await cloud.close();
  unstubEnv();
});

test("in real time, callers who all ask at once go one a second, and Lambda never has to say so", async () => {
  const connection = await lambdaConnection(new Date());
  await Promise.all([1, 2, 3, 4, 5].map(() => lambdaOf(connection, "look").listInstances()));
  const instants = recorder.requests.map(({ at }) => at);
  // Five turns lie four spacings apart; a busy machine may be late for the first.
  expect(Math.max(...instants) - Math.min(...instants)).toBeGreaterThan(3_500);
  expect(recorder.requests.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);

  // Without the shared turns the cloud does say so.
  const hasty = lambdaClient({ baseUrl: recorder.url, key: DEFAULT_KEY, acquire: async () => {} });
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(() => hasty.listInstances()));
  expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThan(0);
});
