import { describe, expect, test } from "vitest";
import { whyUnreachable } from "./offers";

const real = { mode: "real", lambdaApiUrl: "https://cloud.lambda.ai/api/v1" } as const;

describe("whether a machine can call home", () => {
  test.each([
    ["a loopback address", { ...real, publicUrl: "http://localhost:3000" }, "only this machine can reach"],
    ["a loopback address over https", { ...real, publicUrl: "https://127.0.0.1" }, "only this machine can reach"],
    ["plain http", { ...real, publicUrl: "http://fleet.example.com" }, "plain http"],
    ["https", { ...real, publicUrl: "https://fleet.example.com" }, null],
    ["the demo's machines live here", { ...real, mode: "demo" as const, publicUrl: "http://localhost:3000" }, null],
    [
      "a cloud on this machine, too",
      { ...real, lambdaApiUrl: "http://127.0.0.1:9/api/v1", publicUrl: "http://[::1]" },
      null,
    ],
  ])("%s", (_, addresses, words) => {
    const why = whyUnreachable(addresses);
    if (words === null) expect(why).toBeNull();
    else expect(why).toContain(words);
  });
});
