import { beforeEach, expect, test } from "vitest";
import { pool } from "@/lib/db/client";
import { checkDays } from "@/lib/db/cost/days";
import { ledgerHash } from "@/lib/db/cost/ledger";
import { type Ctx, systemCtx } from "@/lib/domain/access";
import { NewCharge, NewCommitment, NewPrice } from "@/lib/domain/cost/price-input";
import { personAt } from "@/lib/testing/people";
import { rows } from "@/lib/testing/world";
import { readPrices } from "./price-read";
import { addCharge, addCommitment, addPrice, removeCharge, removeCommitment } from "./price-verbs";
import { recompute } from "./recompute";
import { Story, TYPE } from "./story.testing";

type Line = {
  period: string;
  day: string;
  charge: string;
  minutes: number;
  micros: string | null;
  corrects: boolean;
  note: string | null;
};

const ledger = () =>
  rows<Line>(
    `select to_char(period, 'YYYY-MM') as period, day::text as day, charge::text as charge, minutes, micros::text as micros, corrects_key is not null as corrects, note
     from ledger_row order by day, starts_at, period, charge, micros`,
  );
const closedRows = () =>
  rows("select key, xmin::text as version from ledger_row where period in (select month from period) order by key");
const sumOf = (lines: Line[]) => lines.reduce((sum, { micros }) => sum + BigInt(micros ?? 0), 0n);

async function close(month: string): Promise<void> {
  await pool().query(
    "insert into period (month, status, zone, content_hash, closed_at, row_count, total_micros, updated_at) values ($1::date, 'closed', 'UTC', sha256('x'), now(), 0, 0, now())",
    [`${month}-01`],
  );
}

const ID = "0f1e2d3c";
let story: Story;
let finance: Ctx;

/** A GH200 that ran on the last two days of October, at $2.29, in a month that is closed. */
beforeEach(async () => {
  story = await Story.begin("2026-10-29T20:00:00Z");
  await story.priceList("2026-10-29T20:00:00Z", { [TYPE]: 229 });
  await story.look("2026-10-29T23:59:59Z");
  await story.look("2026-10-30T00:00:00Z", { id: ID, status: "active" });
  await story.logged("2026-10-30T00:01:00Z", "launched", ID, "2026-10-30T00:00:00Z");
  await story.look("2026-11-01T00:00:00Z", { id: ID, status: "active" });
  await story.look("2026-11-01T00:00:15Z", { id: ID, status: "terminating" });
  await story.logged("2026-11-01T00:01:00Z", "terminated", ID, "2026-11-01T00:00:00Z");
  await story.lookInVain("2026-11-01T00:01:00Z", "2026-11-01T00:01:30Z", "2026-11-01T00:02:00Z");
  await story.meter("2026-11-02T00:00:00Z");
  finance = await personAt("finance", "2026-11-02T00:00:00Z");
  await close("2026-10");
});

const price = (dollars: string) =>
  addPrice(
    finance,
    NewPrice.parse({
      sku: TYPE,
      region: "*",
      unit: "instance_hour",
      tier: "on_demand",
      price: dollars,
      from: "2026-10-31T00:00:00Z",
      to: "2026-11-01T00:00:00Z",
      note: "",
    }),
  );

test("a closed month stays to the byte; what it lacks stands in the open one, on its day, once", async () => {
  const closed = await closedRows();
  await story.meter("2026-11-02T00:00:30Z");
  expect(await ledger()).toMatchObject([{ day: "2026-10-30" }, { day: "2026-10-31" }]);

  await price("1.99");
  await story.meter("2026-11-02T00:01:00Z");
  const lines = await ledger();
  expect(lines.filter(({ period }) => period === "2026-11")).toEqual([
    {
      period: "2026-11",
      day: "2026-10-31",
      charge: "usage",
      minutes: 0,
      micros: "-7200000",
      corrects: true,
      note: "Priced anew after the month was closed (2026-10)",
    },
  ]);
  expect(sumOf(lines)).toBe(54_960_000n + 47_760_000n);
  const hash = await ledgerHash();
  await story.meter("2026-11-02T00:01:30Z");
  await recompute(systemCtx("test", new Date("2026-11-02T00:02:00Z")), { month: "2026-10" });
  expect(await ledgerHash()).toEqual(hash);
  expect(await closedRows()).toEqual(closed);
  expect(await checkDays()).toEqual([]);

  // Right again: the correction goes, as if it had never been.
  await price("2.29");
  await story.meter("2026-11-02T00:03:00Z");
  expect((await ledger()).filter(({ period }) => period === "2026-11")).toEqual([]);
});

test("a correction in a month that was closed in turn is corrected in the next", async () => {
  await price("1.99");
  await story.meter("2026-11-02T00:01:00Z");
  await close("2026-11");
  await price("2.09");
  await story.meter("2026-12-02T00:01:00Z");
  const lines = await ledger();
  expect(lines.map(({ period, day, micros }) => [period, day, micros])).toEqual([
    ["2026-10", "2026-10-30", "54960000"],
    ["2026-10", "2026-10-31", "54960000"],
    ["2026-11", "2026-10-31", "-7200000"],
    ["2026-12", "2026-10-31", "2400000"],
  ]);
  expect(await checkDays()).toEqual([]);
});

test("who pays is learnt late: what one bore in a closed month goes back to him and to the other, and the sum stays", async () => {
  await story.relabel(ID, "2026-10-31T12:00:00Z", "serving");
  await story.meter("2026-11-02T00:01:00Z");
  const lines = await ledger();
  expect(
    lines.filter(({ period }) => period === "2026-11").map(({ day, minutes, micros }) => [day, minutes, micros]),
  ).toEqual([
    ["2026-10-31", -720, "-27480000"],
    ["2026-10-31", 720, "27480000"],
  ]);
  expect(sumOf(lines)).toBe(2n * 54_960_000n);
});

test("a commitment that is entered late, and minutes that change hands after it: what is used and unused is what was paid, to the micro-dollar", async () => {
  const effective = async () =>
    (
      await rows<{ micros: string }>(
        "select coalesce(sum(coalesce(effective_micros, micros)), 0)::text as micros from ledger_row where day between '2026-10-30' and '2026-10-31'",
      )
    )[0]?.micros;
  const shares = () =>
    rows(
      `select o.team, l.minutes, coalesce(l.effective_micros, l.micros)::text as effective from ledger_row l join cost_owner o on o.id = l.owner_id
       where l.charge = 'usage' and l.day = '2026-10-31' and l.commitment_id is not null order by l.minutes desc, o.team`,
    );
  const closed = await closedRows();
  const { id } = await addCommitment(
    finance,
    NewCommitment.parse({
      ...{ name: "Late", sku: TYPE, count: "3", fromDay: "2026-10-30", toDay: "2026-11-05" },
      ...{ upfront: "100", weekly: "", rate: "" },
    }),
  );
  await story.meter("2026-11-02T00:01:00Z");
  // Two sevenths of $100 fall to the two days, on one machine of three and on what the others could have used.
  expect(await effective()).toBe("28571429");
  expect(await shares()).toEqual([{ team: "", minutes: 1440, effective: "4761905" }]);
  await story.relabel(ID, "2026-10-31T08:00:00Z", "serving");
  await story.meter("2026-11-02T00:02:00Z");
  expect(await effective()).toBe("28571429");
  expect(await shares()).toEqual([
    { team: "serving", minutes: 960, effective: "3174603" },
    { team: "", minutes: 480, effective: "1587302" },
  ]);
  await close("2026-11");
  await story.relabel(ID, "2026-10-31T16:00:00Z", "batch");
  await story.meter("2026-12-02T00:01:00Z");
  expect(await effective()).toBe("28571429");
  const hash = await ledgerHash();
  await recompute(systemCtx("test", new Date("2026-12-02T00:01:00Z")), { month: "2026-10" });
  expect(await ledgerHash()).toEqual(hash);
  const [sums] = (await readPrices(finance)).commitments;
  expect(BigInt(sums?.usedMicros ?? 0) + BigInt(sums?.unusedMicros ?? 0)).toBe(100_000_000n);
  expect(await checkDays()).toEqual([]);

  await removeCommitment(finance, { commitmentId: id });
  await story.meter("2026-12-02T00:02:00Z");
  expect(await effective()).toBe((2n * 54_960_000n).toString());
  expect((await closedRows()).slice(0, closed.length)).toHaveLength(closed.length);
});

test("a charge of a closed month counts in the open one; taken back after that was closed, it is taken off the next", async () => {
  const charge = NewCharge.parse({
    kind: "tax",
    amount: "10",
    fromDay: "2026-10-31",
    toDay: "2026-11-01",
    description: "Tax of invoice 4711",
  });
  const { id } = await addCharge(finance, charge);
  await story.meter("2026-11-02T00:01:00Z");
  const taxes = async () =>
    (await ledger())
      .filter(({ charge: kind }) => kind === "tax")
      .map(({ period, day, micros, note }) => [period, day, micros, note]);
  expect(await taxes()).toEqual([
    ["2026-11", "2026-10-31", "5000000", "Tax of invoice 4711: learnt after the month was closed (2026-10)"],
    ["2026-11", "2026-11-01", "5000000", "Tax of invoice 4711"],
  ]);
  await close("2026-11");
  await removeCharge(finance, { chargeId: id });
  await story.meter("2026-12-02T00:01:00Z");
  expect((await taxes()).map(([period, day, micros]) => [period, day, micros])).toEqual([
    ["2026-11", "2026-10-31", "5000000"],
    ["2026-12", "2026-10-31", "-5000000"],
    ["2026-11", "2026-11-01", "5000000"],
    ["2026-12", "2026-11-01", "-5000000"],
  ]);
});
