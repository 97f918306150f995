import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { prisma } from "@/lib/db/client";
import type { Ctx } from "@/lib/domain/access";
import { FirewallRule, rulesText } from "@/lib/domain/cloud/firewall";
import { pollCatalog, pollFilesystems } from "@/lib/services/fleet/poll";
import { running } from "@/lib/testing/intents";
import { as } from "@/lib/testing/people";
import { startWorld, told, type World } from "@/lib/testing/world";
import { createFileSystem, deleteFileSystem } from "./file-systems";
import { changeFirewall, readFirewall } from "./firewall";
import { readCloud } from "./read";
import { renameInstance } from "./rename";
import { addSshKey, removeSshKey } from "./ssh-keys";

const KEY = { name: "anna", publicKey: `ssh-ed25519 ${"A".repeat(68)} anna@laptop` };
const OTHER = { name: "anna", publicKey: `ssh-ed25519 ${"B".repeat(68)}` };

let world: World;
let operator: Ctx;
let before = 0;
beforeAll(async () => {
  world = await startWorld({ behaviour: { bootMs: 60_000 } });
});
beforeEach(async () => {
  await world.reset();
  operator = await as("operator", new Date(world.now()));
  await pollCatalog(world.ctx());
  await pollFilesystems(world.ctx());
  before = (await told(0)).length;
});
afterAll(() => world.close());

/** As the operator, a moment later. */
const later = async (): Promise<Ctx> => {
  await world.advance(30_000);
  return { ...operator, now: new Date(world.now()) };
};
const keys = () =>
  world.cloud.cloud.state.sshKeys.filter(({ deletedAt }) => deletedAt === null).map(({ name }) => name);
const acts = async (action: string) => (await told(0)).slice(before).filter((entry) => entry.action === action).length;

describe("SSH keys", () => {
  test("are added once, whoever repeats it; another key of the name is refused; removed is removed", async () => {
    const { id } = await addSshKey(operator, KEY);
    expect(await addSshKey(await later(), KEY)).toEqual({ id });
    await expect(addSshKey(await later(), OTHER)).rejects.toMatchObject({ code: "conflict" });
    expect(keys()).toEqual(["team-key", "anna"]);
    expect((await readCloud(operator)).sshKeys.map(({ name }) => name)).toEqual(["anna", "team-key"]);
    await removeSshKey(await later(), { keyId: id });
    expect(keys()).toEqual(["team-key"]);
    await expect(removeSshKey(await later(), { keyId: id })).rejects.toMatchObject({ code: "not-found" });
    expect([await acts("ssh-key.added"), await acts("ssh-key.removed")]).toEqual([1, 1]);
  });

  test("an answer that is lost is looked up: added is added, and what did not happen is not said to have", async () => {
    world.cloud.faults.add({ name: "answer_lost", method: "POST", path: "/ssh-keys", count: 1, resetAfterMs: 20 });
    await addSshKey(operator, KEY);
    expect(await acts("ssh-key.added")).toBe(1);
    world.cloud.faults.add({ name: "hang", method: "POST", path: "/ssh-keys", count: 1, resetAfterMs: 20 });
    await expect(addSshKey(await later(), { ...OTHER, name: "ben" })).rejects.toThrow("is not known");
    expect([await acts("ssh-key.added"), await acts("cloud.outcome-unknown")]).toEqual([1, 1]);
    expect(keys()).not.toContain("ben");
  });
});

describe("file systems", () => {
  test("are made once, and deleted by their typed name, never while a machine holds them", async () => {
    const asked = { name: "datasets", region: "us-east-3" };
    await createFileSystem(operator, asked);
    await createFileSystem(await later(), asked);
    const [made] = (await readCloud(operator)).fileSystems;
    expect(made).toMatchObject({ name: "datasets", isAttached: false, usedBy: [] });
    const id = made?.id ?? "";
    await expect(deleteFileSystem(await later(), { fileSystemId: id, typed: "dataset" })).rejects.toThrow(
      "Type datasets",
    );
    world.cloud.faults.add({ name: "server_error", method: "DELETE", path: "/filesystems/", count: 1 });
    await expect(deleteFileSystem(await later(), { fileSystemId: id, typed: "datasets" })).rejects.toThrow(
      "is not known",
    );
    await deleteFileSystem(await later(), { fileSystemId: id, typed: "datasets" });
    expect(await acts("filesystem.deleted")).toBe(1);
    expect(world.cloud.cloud.state.fileSystems.every(({ deletedAt }) => deletedAt !== null)).toBe(true);
  });
});

describe("firewall rules", () => {
  const web = FirewallRule.parse({ protocol: "tcp", ports: [443, 443], source: "203.0.113.0/24", description: "web" });
  const global = async (ctx: Ctx) => {
    const [ruleset] = (await readFirewall(ctx)).rulesets;
    if (!ruleset) throw new Error("there is no global ruleset");
    return ruleset;
  };

  test("are replaced as they were seen; what another changed meanwhile is not overwritten", async () => {
    const { rules } = await global(operator);
    const seen = rulesText(rules);
    await changeFirewall(await later(), { rulesetId: "global", seen, rules: [...rules, web] });
    expect((await global(await later())).rules).toContainEqual(web);
    await expect(changeFirewall(await later(), { rulesetId: "global", seen, rules: [] })).rejects.toThrow(
      "TCP 443 from 203.0.113.0/24 (web)",
    );
    expect((await global(await later())).rules).toHaveLength(rules.length + 1);
    world.cloud.faults.add({ name: "firewall_conflict", method: "PATCH", path: "/firewall-rulesets/", count: 1 });
    const now = rulesText([...rules, web]);
    await expect(changeFirewall(await later(), { rulesetId: "global", seen: now, rules })).rejects.toMatchObject({
      code: "conflict",
    });
    expect(await acts("firewall.changed")).toBe(1);
  });
});

test("a machine of ours keeps the mark of its launch at the end of its new name", async () => {
  await running(world);
  const { id } = await prisma.resource.findFirstOrThrow({ where: { kind: "instance" } });
  await renameInstance(await later(), { instanceId: id, name: "gh-train-07" });
  const name = world.cloud.cloud.state.machines[0]?.names.at(-1)?.value;
  expect(name).toMatch(/^gh-train-07(-[0-9a-f]{8})?$/);
  await renameInstance(await later(), { instanceId: id, name: "gh-train-07" });
  expect(await acts("instance.renamed")).toBeGreaterThan(0);
});

test("who may not change the cloud asks it nothing", async () => {
  const viewer = await as("viewer", new Date(world.now()));
  world.requests.length = 0;
  await expect(addSshKey(viewer, KEY)).rejects.toMatchObject({ code: "forbidden" });
  await expect(createFileSystem(viewer, { name: "a", region: "us-east-3" })).rejects.toMatchObject({
    code: "forbidden",
  });
  await expect(changeFirewall(viewer, { rulesetId: "global", seen: "", rules: [] })).rejects.toMatchObject({
    code: "forbidden",
  });
  expect(world.requests).toEqual([]);
});
