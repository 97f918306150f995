import { expect, test } from "vitest";
import { agentVersion, readAgentFile } from "./files";

test("machines get the three files of the agent as they are", async () => {
  expect((await readAgentFile("install.sh"))?.text).toMatch(/^#!\/bin\/sh\n/);
  expect((await readAgentFile("hopperdeck-agent"))?.text).toMatch(/^#!\/bin\/sh\n/);
  expect((await readAgentFile("hopperdeck-agent.service"))?.text).toMatch(/^\[Unit\]\n/);
  expect((await readAgentFile("install.sh"))?.etag).toMatch(/^"[0-9a-f]{32}"$/);
});

test("the agent's version is the one that it reports", async () => {
  expect(await agentVersion()).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each(["agent.test.ts", "../package.json", "../.data/secrets.json", "install.sh/", "", "INSTALL.SH", "."])(
  "%j is not among them",
  async (name) => {
    expect(await readAgentFile(name)).toBeNull();
  },
);
