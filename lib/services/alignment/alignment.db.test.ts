import { beforeEach, describe, expect, test } from "vitest";
import { ensureRules } from "@/lib/db/alerts/rules";
import { prisma } from "@/lib/db/client";
import { recordFailedPoll } from "@/lib/db/fleet/connection";
import type { UserActor } from "@/lib/domain/access";
import { DEFAULT_PACK } from "@/lib/domain/alerts/default-pack";
import { lambdaConnection } from "@/lib/services/fleet/lambda";
import {
  by,
  emptyHouse,
  evaluateAt,
  MINUTE,
  machine,
  measure,
  NOON,
  person,
  SECOND,
  system,
  type TestMachine,
} from "@/lib/testing/alerting";
import { checkAlignment } from "./check";
import { draftCorrection } from "./correct";
import { draftOfNow, previewDeclaration, readDeclarations, restoreDeclaration, saveDeclaration } from "./declare";
import { acceptDrift, assignDrift, reopenDrift } from "./findings";
import { readMachineAlignment } from "./machine";
import { countFindings, readAlignment, readBadges, readFindings } from "./read";
import { exportReport } from "./report";
import { readSoftware, signReview, startMigration } from "./software";

const PLAN = `version: 1
groups:
  - name: h200-trainers
    instanceType: gpu_1x_gh200
    gpu: H200 # the plan of January
    memoryGb: 141
    count: 3
    regions: [us-east-3]
    pricePerHour: 2.49
    pools:
      - { name: weights, gb: 60 }
      - { name: kv-cache, gb: 40 }
      - { name: activations, gb: 30 }
      - { name: reserve, gb: 11 }
`;
const RIGHT = PLAN.replace("gpu: H200 # the plan of January", "gpu: GH200")
  .replace("141", "96")
  .replace("2.49", "2.29")
  .replace("gb: 60", "gb: 40")
  .replace("gb: 40 }\n      - { name: act", "gb: 30 }\n      - { name: act")
  .replace("activations, gb: 30", "activations, gb: 20")
  .replace("gb: 11", "gb: 6");

let olga: UserActor;
let fleet: TestMachine[];

/** A good look at the fleet at an instant: every machine reports, and the engine judges it. */
async function poll(at: number, reporting: readonly TestMachine[] = fleet): Promise<void> {
  for (const one of reporting) await measure(one, at - SECOND, { memoryUsedMib: 40_000, utilizationPct: 90 });
  await prisma.connection.updateMany({ data: { lastPollAt: new Date(at), lastOkAt: new Date(at), staleSince: null } });
  await checkAlignment(system(at));
}

const at = (i: number) => NOON + i * 15 * SECOND;
const states = async () =>
  (await prisma.finding.findMany({ orderBy: { kind: "asc" } })).map(({ kind, state }) => `${kind} ${state}`);
const count = async (state: "pending" | "open" | "accepted" | "settled") => prisma.finding.count({ where: { state } });

beforeEach(async () => {
  await emptyHouse();
  olga = await person("Olga", "operator");
  const seen = new Date(NOON - 48 * 60 * MINUTE);
  await prisma.instanceType.create({
    data: {
      provider: "lambda",
      name: "gpu_1x_gh200",
      description: "1x GH200 (96 GB)",
      gpuModel: "GH200",
      gpus: 1,
      gpuMemoryGb: 96,
      vcpus: 64,
      memoryGib: 432,
      storageGib: 4096,
      architecture: "arm64",
      firstSeenAt: seen,
      lastSeenAt: seen,
    },
  });
  fleet = [];
  for (const name of ["gh-train-01", "gh-train-02", "gh-serve-01"]) fleet.push(await machine(name));
  await prisma.resourceSpan.updateMany({ data: { typeName: "gpu_1x_gh200" } });
});

describe("the opening story", () => {
  test("two polls make findings of the plan; corrected, the fleet is aligned; a changed price is found within two polls", async () => {
    await poll(at(0));
    expect((await readAlignment(by(olga, at(0)))).verdict).toBe("undeclared");
    await saveDeclaration(by(olga, at(0)), { yaml: PLAN, note: "", base: 0 });
    // Model, memory, pools and price of three machines: seen once.
    expect(await count("pending")).toBe(12);
    expect((await countFindings(by(olga, at(0)))).findings).toBe(0);
    await poll(at(1));
    expect(await count("open")).toBe(12);
    const answer = await readAlignment(by(olga, at(1)));
    expect(answer).toMatchObject({
      verdict: "differs",
      counts: { critical: 9, warning: 3, pending: 0 },
      totals: {
        declaredMicros: "5378400000",
        observedMicros: "4946400000",
        differenceMicros: "-432000000",
        memoryGb: -135,
        poolsGb: -135,
      },
    });
    expect(answer.findings.find(({ fact }) => fact === "price")).toMatchObject({ monthMicros: "-432000000", line: 9 });
    expect(answer.groups[0]?.pools[0]).toMatchObject({ sumGb: 141, nominalGb: 96, reportedMib: 97_871 });

    const [first] = fleet;
    if (!first) throw new Error("no machine");
    const own = await readMachineAlignment(by(olga, at(1)), { instanceId: first.resourceId });
    expect(own.findings).toHaveLength(4);
    expect(own.pools?.at(-1)).toMatchObject({ existsGb: 0, toMib: (141 / 96) * 97_871 });

    const corrected = await draftCorrection(by(olga, at(1)), { group: "h200-trainers" });
    expect(corrected.yaml).toContain("gpu: GH200 # the plan of January");
    expect(corrected.yaml).toContain("pricePerHour: 2.29");
    await saveDeclaration(by(olga, at(1)), { yaml: RIGHT, note: "GH200", base: 1 });
    expect(await count("settled")).toBe(12);
    expect(await readAlignment(by(olga, at(1)))).toMatchObject({
      verdict: "aligned",
      totals: { observedMicros: "4946400000", differenceMicros: "0" },
    });

    await prisma.resourceSpan.updateMany({ data: { priceMicros: 1_490_000n } });
    await poll(at(2));
    await poll(at(3));
    expect(await readAlignment(by(olga, at(3)))).toMatchObject({
      verdict: "differs",
      counts: { warning: 3, critical: 0 },
      totals: { observedMicros: "3218400000", differenceMicros: "-1728000000" },
    });
  });

  test("findings raise an alert by the default rule, and its end ends it", async () => {
    await ensureRules(
      DEFAULT_PACK.filter(({ packKey }) => packKey === "not-as-declared"),
      new Date(NOON),
    );
    await saveDeclaration(by(olga, at(0)), { yaml: PLAN, note: "", base: 0 });
    await poll(at(0));
    await poll(at(1));
    await evaluateAt(NOON + MINUTE);
    const alerts = await prisma.alert.findMany({ orderBy: { targetName: "asc" } });
    expect(alerts.map(({ targetName, status, lastValue }) => [targetName, status, lastValue])).toEqual([
      ["gh-serve-01", "firing", 4],
      ["gh-train-01", "firing", 4],
      ["gh-train-02", "firing", 4],
    ]);
    await poll(at(4));
    await saveDeclaration(by(olga, at(4)), { yaml: RIGHT, note: "", base: 1 });
    await evaluateAt(NOON + 2 * MINUTE);
    expect(await prisma.alert.count({ where: { status: "firing" } })).toBe(0);
  });
});

describe("what polls conclude", () => {
  const declare = () => saveDeclaration(by(olga, at(0)), { yaml: PLAN, note: "", base: 0 });

  test("a failed poll and a poll judged twice conclude nothing", async () => {
    await poll(at(0));
    await declare();
    const { id: connectionId } = await lambdaConnection(new Date(at(0)));
    await recordFailedPoll({
      connectionId,
      at: new Date(at(1)),
      outcome: "network",
      durationMs: 5,
      error: "no answer",
    });
    await checkAlignment(system(at(1)));
    await checkAlignment(system(at(2)));
    expect([await count("pending"), await count("open")]).toEqual([12, 0]);
  });

  test("missing telemetry is not verified: it opens nothing, settles nothing and is never aligned", async () => {
    await poll(at(0), []);
    await saveDeclaration(by(olga, at(0)), { yaml: RIGHT, note: "", base: 0 });
    await poll(at(1), []);
    expect(await states()).toEqual([]);
    const silent = await readAlignment(by(olga, at(1)));
    expect(silent.verdict).toBe("unverified");
    expect(silent.counts.unverified).toBe(12);

    await saveDeclaration(by(olga, at(1)), { yaml: PLAN, note: "", base: 1 });
    for (const i of [2, 3]) await poll(at(i));
    expect(await count("open")).toBe(12);
    // Five minutes later nothing reports: what was found stays found.
    for (const i of [22, 23]) await poll(at(i), []);
    expect(await count("open")).toBe(12);
  });

  test("a card that is exchanged is found, and its place is not counted twice", async () => {
    await poll(at(0));
    await saveDeclaration(by(olga, at(0)), { yaml: RIGHT, note: "", base: 0 });
    const [first, ...rest] = fleet;
    if (!first) throw new Error("no machine");
    const { id: gpuId } = await prisma.gpu.create({
      data: {
        uuid: "GPU-new",
        resourceId: first.resourceId,
        sourceId: first.sourceId,
        model: "NVIDIA H100 PCIe",
        memoryMib: 81_559,
        firstSeenAt: new Date(at(1)),
      },
    });
    for (const i of [1, 2]) await poll(at(i), [{ ...first, gpuId }, ...rest]);
    expect(await states()).toEqual(["memory open", "model open", "pools open", "record open"]);
  });
});

describe("what people do about it", () => {
  test("accept until a day, open again by itself; assign; take back", async () => {
    await poll(at(0));
    await saveDeclaration(by(olga, at(0)), { yaml: PLAN, note: "", base: 0 });
    const { rows: pending } = await readFindings(by(olga, at(0)), { state: "open" });
    const findingId = pending.find(({ fact }) => fact === "price")?.id ?? "";
    const accept = (until: number, now = at(1)) =>
      acceptDrift(by(olga, now), { findingId, reason: "until the next budget", until });
    await expect(accept(NOON + 60 * MINUTE)).rejects.toMatchObject({ code: "conflict" });
    await poll(at(1));
    await expect(accept(NOON - 1)).rejects.toMatchObject({ code: "invalid" });
    await accept(NOON + 60 * MINUTE);
    await assignDrift(by(olga, at(1)), { findingId, personId: olga.id });
    expect((await countFindings(by(olga, at(1)))).findings).toBe(11);
    const { byInstance } = await readBadges(by(olga, at(1)));
    expect(Object.values(byInstance).reduce((sum, { count: own }) => sum + own, 0)).toBe(11);
    expect(Object.values(byInstance).every(({ severity }) => severity === "critical")).toBe(true);
    await poll(NOON + 59 * MINUTE);
    expect(await count("accepted")).toBe(1);
    await poll(NOON + 61 * MINUTE);
    expect(await prisma.finding.findUnique({ where: { id: findingId } })).toMatchObject({
      state: "open",
      acceptedUntil: null,
      assigneeId: olga.id,
    });
    await accept(NOON + 120 * MINUTE, NOON + 61 * MINUTE);
    await reopenDrift(by(olga, NOON + 62 * MINUTE), { findingId });
    expect(await count("accepted")).toBe(0);
    const viewer = await person("Vera", "viewer");
    await expect(
      acceptDrift(by(viewer, at(1)), { findingId, reason: "no", until: NOON + 60 * MINUTE }),
    ).rejects.toMatchObject({ code: "forbidden" });
    const actions = await prisma.auditEvent.findMany({ where: { subjectId: findingId }, orderBy: { id: "asc" } });
    expect(actions.map(({ action }) => action).slice(0, 2)).toEqual(["finding.accepted", "finding.assigned"]);
  });

  test("versions: written once each, looked at first, restored as a new one", async () => {
    await poll(at(0));
    const ctx = by(olga, at(0));
    const draft = await draftOfNow(ctx);
    expect(await previewDeclaration(ctx, draft)).toMatchObject({ problems: [], findings: [] });
    await saveDeclaration(ctx, { yaml: draft.yaml, note: "what runs", base: 0 });
    await expect(saveDeclaration(ctx, { yaml: PLAN, note: "", base: 0 })).rejects.toMatchObject({ code: "conflict" });
    await expect(saveDeclaration(ctx, { yaml: "version: 2", note: "", base: 1 })).rejects.toMatchObject({
      code: "invalid",
    });
    await saveDeclaration(ctx, { yaml: PLAN, note: "the plan", base: 1 });
    await restoreDeclaration(ctx, { version: 1, base: 2 });
    const { versions, yaml } = await readDeclarations(ctx, {});
    expect(yaml).toBe(draft.yaml);
    expect(versions.map(({ version, by: name, note }) => [version, name, note])).toEqual([
      [3, "Olga", "Version 1 again"],
      [2, "Olga", "the plan"],
      [1, "Olga", "what runs"],
    ]);
    await expect(prisma.declaration.deleteMany()).rejects.toThrow();
  });

  test("the report says all of it in Markdown", async () => {
    await poll(at(0));
    await saveDeclaration(by(olga, at(0)), { yaml: PLAN, note: "", base: 0 });
    await poll(at(1));
    const { name, lines } = await exportReport(by(olga, at(1)));
    let text = "";
    for await (const line of lines) text += line;
    expect(name).toBe("hopperdeck-alignment-2026-11-20.md");
    for (const part of ["## Executive summary", "## Comparison", "## Findings", "## Actions", "## Validation"])
      expect(text).toContain(part);
    expect(text).toContain("$5,378.40 declared, $4,946.40 at today’s prices, −$432.00");
  });

  test("a quarter is signed once and whole; a migration counts four weeks", async () => {
    const ctx = by(olga, NOON);
    const points = ["drivers", "cuda", "pytorch", "images", "hardware", "calendar"] as const;
    await expect(signReview(ctx, { quarter: "2026-Q4", points: ["cuda"], remark: "" })).rejects.toMatchObject({
      code: "invalid",
    });
    await signReview(ctx, { quarter: "2026-Q4", points: [...points], remark: "" });
    await expect(signReview(ctx, { quarter: "2026-Q4", points: [...points], remark: "" })).rejects.toMatchObject({
      code: "conflict",
    });
    await startMigration(ctx, { what: "CUDA 12.1", reason: "no more fixes" });
    const answer = await readSoftware(ctx);
    expect(answer.reviews).toMatchObject([{ body: { quarter: "2026-Q4", signedBy: "Olga" } }]);
    expect(answer.migrations).toMatchObject([{ endsAt: NOON + 28 * 24 * 60 * MINUTE }]);
  });
});
