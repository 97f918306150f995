import { expect, test } from "vitest";
import type { Ctx, Role } from "@/lib/domain/access";
import { NOBODY } from "@/lib/domain/cost/allocation";
import { RuleDraft } from "@/lib/domain/cost/allocation-view";
import { ExploreQuestion } from "@/lib/domain/cost/explore";
import { by, person } from "@/lib/testing/alerting";
import { rows } from "@/lib/testing/world";
import { readAllocationMonth, readShares } from "./allocation";
import { assignResources, createRule, endRule, moveRule, previewRule } from "./allocation-change";
import { readAssignments, readRules } from "./allocation-lists";
import { readExplore } from "./explore";
import { Story, TYPE } from "./story.testing";

const MONTH = "2026-11";
const NOW = Date.parse("2026-11-03T12:00:00Z");
const BEGIN = Date.parse("2026-11-01T00:00:00Z");
const who = async (role: Role): Promise<Ctx> => by(await person("Ada", role), NOW);
const words = (team: string, more: object = {}) => ({ ...NOBODY, team, ...more });
const draft = (more: object) => RuleDraft.parse({ method: "whole", shares: [], from: BEGIN, month: MONTH, ...more });

/** Two teams' machines, three that nobody named, a file system for all: two days and a half. */
async function begin(): Promise<Story> {
  const story = await Story.begin("2026-11-01T00:00:00Z");
  await story.priceList("2026-11-01T00:00:00Z", { [TYPE]: 229 });
  await story.storagePrice("2026-11-01T00:00:00Z", 200_000n);
  const all = [
    { id: "ml-1", status: "active", tags: { team: "ml", "cost-center": "CC-1" } },
    { id: "web-1", status: "active", tags: { team: "web" } },
    { id: "ml-2", status: "active" },
    { id: "eval-1", status: "active" },
    { id: "eval-2", status: "active" },
  ];
  await story.look("2026-11-01T00:00:00Z");
  await story.look("2026-11-01T00:00:30Z", ...all);
  await story.filesystem("2026-11-01T00:00:00Z", { id: "datasets", bytes: 3 * 2 ** 40 });
  // On the last day only one team has a machine.
  await story.look("2026-11-03T00:00:00Z", ...all.slice(0, 1));
  await story.look("2026-11-03T00:00:30Z", ...all.slice(0, 1));
  await story.look("2026-11-03T11:59:30Z", ...all.slice(0, 1));
  await story.meter("2026-11-03T12:00:00Z");
  return story;
}

const sumOf = async (sql: string) => BigInt((await rows<{ n: string }>(sql))[0]?.n ?? "0");

test("the queue is cleared by labels and rules, pots are spread to the micro-dollar, and no total ever changes", async () => {
  const story = await begin();
  const finance = await who("finance");
  const first = await readAllocationMonth(finance, {});
  expect(first.queue.map(({ name }) => name).sort()).toEqual(["datasets", "eval-1", "eval-2", "ml-2"]);
  const ml2 = first.queue.find(({ name }) => name === "ml-2");
  expect(ml2).toMatchObject({
    isGone: true,
    microsPerHour: "0",
    suggestions: [{ words: words("ml", { costCenter: "CC-1" }) }],
  });
  expect(first.queue.find(({ name }) => name === "datasets")).toMatchObject({
    microsPerHour: expect.stringMatching(/^[1-9]/),
  });
  expect(BigInt(first.allocatedMicros) + BigInt(first.sharedMicros) + BigInt(first.uncategorised.micros)).toBe(
    BigInt(first.total.micros),
  );
  const ledger = await sumOf("select sum(micros)::text as n from ledger_row");
  expect(ledger.toString()).toBe(first.total.micros);

  // By hand, from the beginning of the month.
  const assign = {
    resourceIds: [ml2?.resourceId ?? ""],
    words: words("ml", { costCenter: "CC-1" }),
    from: "month" as const,
    month: MONTH,
  };
  await expect(assignResources(await who("viewer"), assign)).rejects.toMatchObject({ code: "forbidden" });
  expect(await assignResources(finance, assign)).toEqual({ count: 1 });
  // Said again, it is so already; another answer comes too late.
  const acts = () => rows("select 1 from audit_event");
  const said = await acts();
  expect(await assignResources(finance, assign)).toEqual({ count: 0 });
  await expect(assignResources(finance, { ...assign, words: words("web") })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await acts()).toHaveLength(said.length);
  expect(await readAllocationMonth(finance, {})).toMatchObject({ pending: { resources: 1, micros: ml2?.micros } });

  // By rules: shown before they are saved, then saved.
  const evals = draft({
    name: "Evaluation",
    selector: { name: "eval-*" },
    shares: [{ words: words("research"), ppm: 0 }],
  });
  const preview = await previewRule(finance, evals);
  expect(preview).toMatchObject({
    resources: 2,
    matched: 2,
    moves: [{ from: "nobody", to: "research" }, { to: "research" }],
  });
  await expect(createRule(await who("operator"), evals)).rejects.toMatchObject({ code: "forbidden" });
  const { id: ruleId } = await createRule(finance, evals);
  await createRule(finance, draft({ name: "Datasets", selector: { kind: "filesystem" }, method: "gpu_minutes" }));
  const ruled = await acts();
  expect(await createRule(finance, evals)).toEqual({ id: ruleId });
  expect(await acts()).toHaveLength(ruled.length);
  await expect(createRule(finance, { ...evals, selector: { name: "eval*" } })).rejects.toMatchObject({
    fields: { name: expect.any(String) },
  });
  expect((await readRules(finance)).rules.map(({ name, state }) => [name, state])).toEqual([
    ["Evaluation", "on"],
    ["Datasets", "on"],
  ]);
  const { assignments } = await readAssignments(finance, { month: MONTH });
  expect(assignments.map(({ name, by: how, pot, words: { team } }) => [name, how, pot, team]).sort()).toEqual([
    ["datasets", "rule", "Datasets", ""],
    ["eval-1", "rule", null, "research"],
    ["eval-2", "rule", null, "research"],
    ["ml-1", "label", null, "ml"],
    ["ml-2", "label", null, "ml"],
    ["web-1", "label", null, "web"],
  ]);
  await story.meter("2026-11-03T12:00:00Z");

  const clear = await readAllocationMonth(finance, {});
  expect(clear).toMatchObject({
    queue: [],
    uncategorised: { micros: "0" },
    pending: { resources: 0 },
    total: { micros: first.total.micros },
  });
  expect(clear.rules.map(({ name, resources, micros }) => [name, resources, micros])).toEqual([
    ["Evaluation", 2, preview.micros],
    ["Datasets", 1, clear.sharedMicros],
  ]);
  const [pot] = clear.pots;
  expect(pot).toMatchObject({ name: "Datasets", method: "gpu_minutes", unspreadMicros: "0", unspreadDays: [] });
  expect(pot?.parts.reduce((all, { micros }) => all + BigInt(micros), 0n).toString()).toBe(pot?.micros);
  expect(await sumOf("select sum(rounding_ppm)::text as n from shared_cost")).toBe(0n);
  // The only team with a machine on the third day bears that day alone.
  const third = await rows<{ team: string }>(
    "select o.team from shared_cost s join cost_owner o on o.id = s.owner_id where day = '2026-11-03'",
  );
  expect(third).toEqual([{ team: "ml" }]);

  for (const field of ["team", "project", "environment", "costCenter"] as const) {
    const shares = await readShares(finance, { month: MONTH, by: field });
    const all = shares.rows.reduce(
      (sum, row) => sum + BigInt(row.totalMicros),
      BigInt(shares.unspreadMicros) + BigInt(shares.uncategorisedMicros),
    );
    expect(all.toString()).toBe(first.total.micros);
    const by = field === "costCenter" ? "costCentre" : field;
    const { groups } = await readExplore(finance, ExploreQuestion.parse({ month: MONTH, by }));
    const after = groups.map(({ key, afterSharingMicros }) => [key, afterSharingMicros] as const);
    expect(after.reduce((sum, [, micros]) => sum + BigInt(micros ?? "0"), 0n).toString()).toBe(first.total.micros);
    for (const { key, totalMicros } of shares.rows) if (key !== "") expect(after).toContainEqual([key, totalMicros]);
  }

  // The same again writes nothing; a rule that is taken back leaves no trace in the ledger.
  const stamp = await rows("select xmin::text, * from shared_cost order by 2, 3, 4, 5");
  await story.meter("2026-11-03T12:00:00Z");
  expect(await rows("select xmin::text, * from shared_cost order by 2, 3, 4, 5")).toEqual(stamp);
  const [, datasets] = clear.rules;
  if (!datasets) throw new Error("no rule");
  await moveRule(finance, { id: datasets.id, version: datasets.version, by: "up" });
  const moved = (await readAllocationMonth(finance, {})).rules;
  expect(moved.map(({ name }) => name)).toEqual(["Datasets", "Evaluation"]);
  await expect(endRule(finance, { id: datasets.id, version: datasets.version, how: "never" })).rejects.toMatchObject({
    code: "conflict",
  });
  const gone = { id: datasets.id, version: moved[0]?.version ?? 0, how: "never" as const };
  await endRule(finance, gone);
  const ended = await acts();
  expect(await endRule(finance, gone)).toEqual({ id: datasets.id });
  expect(await acts()).toHaveLength(ended.length);
  await story.meter("2026-11-03T12:00:00Z");
  expect(await readAllocationMonth(finance, {})).toMatchObject({
    queue: [{ name: "datasets" }],
    pots: [],
    total: { micros: first.total.micros },
  });
  expect(await rows("select 1 from shared_cost")).toEqual([]);
});

test("what is named after the close of its month is turned round in the open one", async () => {
  const story = await begin();
  const finance = await who("finance");
  await rows(
    `insert into period (month, status, content_hash, closed_at, updated_at) values ('2026-11-01', 'closed', sha256('x'), now(), now())`,
  );
  const { queue, uncategorised, total } = await readAllocationMonth(finance, {});
  const resourceIds = queue.map(({ resourceId }) => resourceId);
  await assignResources(finance, { resourceIds, words: words("late"), from: "beginning", month: MONTH });
  await story.meter("2026-11-03T12:00:30Z");
  const closed = await sumOf("select sum(micros)::text as n from ledger_row where period = '2026-11-01'");
  expect(closed.toString()).toBe(total.micros);
  const pairs = await rows<{ team: string; micros: string }>(
    "select o.team, sum(l.micros)::text as micros from ledger_row l join cost_owner o on o.id = l.owner_id where l.period > '2026-11-01' and l.day < '2026-11-03' group by 1 order by 1",
  );
  const [nobody, late] = pairs;
  expect(pairs.map(({ team }) => team)).toEqual(["", "late"]);
  expect(BigInt(nobody?.micros ?? "0") + BigInt(late?.micros ?? "0")).toBe(0n);
  expect(BigInt(late?.micros ?? "0")).toBeGreaterThan(0n);
  expect(BigInt(late?.micros ?? "0")).toBeLessThanOrEqual(BigInt(uncategorised.micros));
});
