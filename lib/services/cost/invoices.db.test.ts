import { beforeEach, expect, test } from "vitest";
import { readAllocation } from "@/lib/db/cost/owners";
import type { Ctx, Role } from "@/lib/domain/access";
import type { InvoiceAnswer, NewInvoice } from "@/lib/domain/invoice/view";
import { as } from "@/lib/testing/people";
import { count, rows } from "@/lib/testing/world";
import { settleCharges } from "./charges";
import { readInvoiceFile } from "./invoice-file";
import { previewInvoice } from "./invoice-lines";
import { matchInvoices } from "./invoice-match";
import { addInvoice, decideVariances, readInvoice, readInvoices, removeInvoice, sendInvoice } from "./invoices";
import { Story } from "./story.testing";

const NOW = new Date("2026-11-03T12:00:00Z");
const program = (role: Role): Ctx => ({
  actor: { kind: "token", id: "0190c0de-0000-7000-8000-000000000000", name: `a ${role} program`, role },
  now: NOW,
});
const finance = program("finance");
const viewer = program("viewer");
let story: Story;

// Two machines for ten hours each on 27 October, one of them seen for longer.
beforeEach(async () => {
  story = await Story.begin("2026-10-26T00:00:00Z");
  await story.priceList("2026-10-26T00:00:00Z", { gpu_1x_gh200: 229 });
  await story.look("2026-10-27T00:00:00Z");
  const tags = { team: "web" };
  await story.look("2026-10-27T01:00:00Z", { id: "m1", status: "active" }, { id: "m2", status: "active", tags });
  await story.look("2026-10-27T11:00:00Z", { id: "m1", status: "active" }, { id: "m2", status: "active", tags });
  await story.look(
    "2026-10-27T11:01:00Z",
    { id: "m1", status: "terminating" },
    { id: "m2", status: "terminating", tags },
  );
  await story.lookInVain("2026-10-27T11:02:00Z", "2026-10-27T11:03:00Z");
  await story.meter("2026-11-03T12:00:00Z");
});

const HEAD = { issuedOn: "2026-11-02", fromDay: "2026-10-26", toDay: "2026-11-01" };

/** What the ledger holds of a machine, in minutes and dollars. */
async function metered(name: string): Promise<{ minutes: number; usd: string }> {
  const [row] = await rows<{ minutes: number; usd: string }>(
    "select sum(l.minutes)::int as minutes, round(sum(l.micros) / 1e6, 2)::text as usd from ledger_row l join resource r on r.id = l.resource_id where r.external_id = $1",
    [name],
  );
  if (!row) throw new Error("not metered");
  return row;
}

async function invoice(number: string, over: { m2?: number; total?: string } = {}): Promise<NewInvoice> {
  const [m1, m2] = [await metered("m1"), await metered("m2")];
  const more = over.m2 ?? 0;
  const second = (((m2.minutes + more) * 2.29) / 60).toFixed(2);
  const lines = [
    "Description,Instance ID,Minutes,Amount",
    `gpu_1x_gh200,m1,${m1.minutes},$${m1.usd}`,
    `gpu_1x_gh200,m2,${m2.minutes + more},"$${second}"`,
    "Sales tax,,,$4.07",
    "Promotional credit,,,($10.00)",
  ];
  const total = (Number(m1.usd) + Number(second) + 4.07 - 10).toFixed(2);
  return {
    ...HEAD,
    number,
    total: BigInt(Math.round(Number(over.total ?? total) * 100)) * 10_000n,
    csv: lines.join("\n"),
  };
}

const said = ({ variances }: InvoiceAnswer) =>
  variances.map((one) => [one.class, one.state, Number(one.differenceMicros)]);

test("an invoice is kept whole, matched to the micro-dollar, and known again", async () => {
  const sent = await invoice("INV-1", { m2: 25 });
  const { id } = await addInvoice(finance, sent);
  const found = await readInvoice(finance, { invoiceId: id });
  expect(found.variances.map(({ class: of }) => of)).toEqual(
    ["quantity", "credit", "tax", "rounding"].filter((of) => found.variances.some((one) => one.class === of)),
  );
  const difference = found.variances.reduce((all, one) => all + BigInt(one.differenceMicros), 0n);
  const [ledger] = await rows<{ micros: string }>("select sum(micros)::text as micros from ledger_row");
  expect(difference).toBe(sent.total - BigInt(ledger?.micros ?? 0));
  expect(found.variances.find((one) => one.class === "quantity")?.evidence).toMatchObject({
    label: "m2",
    remark: "25 minutes more than we metered",
    isWithinBounds: true,
  });
  const file = await readInvoiceFile(finance, { invoiceId: id });
  expect(new TextDecoder().decode(file.bytes)).toBe(sent.csv);

  const same = { ...sent, number: "INV-9" };
  await expect(addInvoice(finance, same)).rejects.toMatchObject({
    code: "conflict",
    message: "This file was entered before, as invoice INV-1. Nothing was stored.",
  });
  const other = await invoice("INV-1", { m2: 26 });
  await expect(addInvoice(finance, other)).rejects.toMatchObject({ code: "conflict", fields: { number: "is taken" } });
  await expect(readInvoice(viewer, { invoiceId: id })).rejects.toMatchObject({ code: "forbidden" });
  await expect(readInvoiceFile(viewer, { invoiceId: id })).rejects.toMatchObject({ code: "forbidden" });
  await expect(addInvoice(viewer, other)).rejects.toMatchObject({ code: "forbidden" });
  expect(await count("select 1 from invoice")).toBe(1);
  const lines = { ...HEAD, number: "INV-2", total: 1n, csv: "Item,Amount\nok,1.00\nbad,1.0.0" };
  await expect(addInvoice(finance, lines)).rejects.toMatchObject({ code: "invalid" });
  expect(await count("select 1 from invoice_line")).toBe(4);
});

test("what was said of a difference is kept, and what was accepted of tax and credit is in the ledger", async () => {
  const { id } = await addInvoice(finance, await invoice("INV-1", { m2: 25 }));
  const before = await readInvoice(finance, { invoiceId: id });
  const keys = (...classes: string[]) =>
    before.variances.filter((one) => classes.includes(one.class)).map(({ key }) => key);
  await expect(
    decideVariances(viewer, { invoiceId: id, keys: keys("tax"), state: "accepted", note: "" }),
  ).rejects.toMatchObject({ code: "forbidden" });
  const ada = { ...(await as("finance", new Date())), now: NOW };
  await decideVariances(ada, { invoiceId: id, keys: keys("tax", "credit"), state: "accepted", note: "" });
  await decideVariances(finance, { invoiceId: id, keys: keys("quantity"), state: "disputed", note: "Ask for $2.29" });

  const after = await readInvoice(finance, { invoiceId: id });
  expect(said(after)).toContainEqual(["tax", "accepted", 0]);
  expect(said(after)).toContainEqual(["credit", "accepted", 0]);
  expect(after.invoice).toMatchObject({ disputed: 1 });
  expect(after.variances.find((one) => one.class === "tax")).toMatchObject({ by: ada.actor.name, at: NOW.getTime() });
  const charged = await rows(
    "select charge::text as charge, sum(micros)::int as micros from ledger_row where charge in ('tax', 'credit') group by 1 order by 1",
  );
  expect(charged).toEqual([
    { charge: "credit", micros: -10_000_000 },
    { charge: "tax", micros: 4_070_000 },
  ]);

  await story.meter("2026-11-03T13:00:00Z");
  await matchInvoices(finance);
  await matchInvoices(finance);
  const again = await readInvoice(finance, { invoiceId: id });
  expect(again.variances).toEqual(after.variances);
  expect(again.variances.find((one) => one.class === "quantity")).toMatchObject({
    state: "disputed",
    note: "Ask for $2.29",
  });

  await decideVariances(finance, { invoiceId: id, keys: keys("tax"), state: "open", note: "" });
  expect(await count("select 1 from ledger_row where charge = 'tax'")).toBe(0);
  const acts = await rows("select action, reason from audit_event where subject_id = $1 order by seq", [id]);
  expect(acts.map(Object.values)).toEqual([
    ["invoice.entered", null],
    ["invoice.decided", null],
    ["invoice.decided", "Ask for $2.29"],
    ["invoice.decided", null],
  ]);

  await removeInvoice(finance, { invoiceId: id, note: "wrong account" });
  expect(await count("select 1 from ledger_row where charge in ('tax', 'credit')")).toBe(0);
  expect(await count("select 1 from invoice_line")).toBe(0);
});

test("an accepted quantity is a correction in the ledger once, by whomever and however often it is accepted", async () => {
  const sent = await invoice("INV-1", { m2: 25 });
  const { id } = await addInvoice(finance, sent);
  const whole = async () =>
    BigInt((await rows<{ micros: string }>("select sum(micros)::text as micros from ledger_row"))[0]?.micros ?? "0");
  const before = await whole();
  const found = await readInvoice(finance, { invoiceId: id });
  const [quantity] = found.variances.filter((one) => one.class === "quantity");
  const difference = BigInt(quantity?.differenceMicros ?? "0");
  const decide = (state: "accepted" | "open" | "disputed", note = "") =>
    decideVariances(finance, { invoiceId: id, keys: [quantity?.key ?? ""], state, note });

  await Promise.all([decide("accepted"), decide("accepted"), decide("accepted")]);
  await decide("accepted");
  expect(await count("select 1 from charge where deleted_at is null")).toBe(1);
  expect((await whole()) - before).toBe(difference);
  const fixes = await rows(
    "select l.charge::text as charge, o.team, l.note, l.corrects_key, sum(l.micros)::text as micros from ledger_row l join cost_owner o on o.id = l.owner_id where l.charge = 'adjustment' group by 1, 2, 3, 4",
  );
  expect(fixes).toEqual([
    {
      ...{ charge: "adjustment", team: "web", corrects_key: null, micros: difference.toString() },
      note: "m2: 25 minutes more than we metered (INV-1)",
    },
  ]);
  const settled = await readInvoice(finance, { invoiceId: id });
  expect(said(settled)).toContainEqual(["quantity", "accepted", 0]);
  await story.meter("2026-11-03T12:30:00Z");
  await matchInvoices(finance);
  expect((await readInvoice(finance, { invoiceId: id })).variances).toEqual(settled.variances);

  // Disputed after all, it is taken back; accepted again, it is there again.
  await decide("disputed", "they bill too much");
  expect(await whole()).toBe(before);
  expect(said(await readInvoice(finance, { invoiceId: id }))).toContainEqual([
    "quantity",
    "disputed",
    Number(difference),
  ]);
  await decide("accepted");
  expect((await whole()) - before).toBe(difference);

  // The meter learns of these minutes by itself: the correction goes.
  await rows(
    "update ledger_row l set minutes = l.minutes + 25, micros = l.micros + 954167, high_micros = l.high_micros + 954167 from resource r where r.id = l.resource_id and r.external_id = 'm2'",
  );
  await matchInvoices(finance);
  expect(await count("select 1 from charge where deleted_at is null")).toBe(0);
  await settleCharges(await readAllocation(), "UTC");
  expect(await count("select 1 from ledger_row where charge = 'adjustment'")).toBe(0);
  const learnt = await readInvoice(finance, { invoiceId: id });
  expect(learnt.variances.filter((one) => one.class === "quantity" || one.class === "missing_on_invoice")).toEqual([]);
});

test("accepted of a month that is closed, it counts in the open one; of something nobody ever saw, it is nobody’s", async () => {
  const usd = (await metered("m1")).usd;
  const lines = [
    { resource: "m1", charge: "usage", amount: usd },
    { resource: "ffffffff", charge: "usage", amount: "12.34", description: "gpu_1x_gh200" },
  ];
  const total = BigInt(Math.round(Number(usd) * 100)) * 10_000n + 12_340_000n;
  await rows(
    "insert into period (month, status, content_hash, closed_at, updated_at) values ('2026-10-01', 'closed', sha256('x'), now(), now())",
  );
  const { id } = await addInvoice(finance, { ...HEAD, toDay: "2026-10-31", number: "INV-1", total, lines });
  const found = await readInvoice(finance, { invoiceId: id });
  const missing = found.variances.find((one) => one.class === "missing_in_ledger");
  expect(missing).toMatchObject({ differenceMicros: "12340000", evidence: { label: "ffffffff" } });
  await decideVariances(finance, { invoiceId: id, keys: [missing?.key ?? ""], state: "accepted", note: "" });
  const fixes = await rows(
    "select to_char(period, 'YYYY-MM') as month, min(day)::text as from, max(day)::text as to, sum(micros)::text as micros, max(owner_id) as owner from ledger_row where charge = 'adjustment' group by 1",
  );
  expect(fixes).toEqual([{ month: "2026-11", from: "2026-10-26", to: "2026-10-31", micros: "12340000", owner: 0 }]);
  expect(said(await readInvoice(finance, { invoiceId: id }))).toContainEqual(["missing_in_ledger", "accepted", 0]);
});

test("entered by several at once it is there once", async () => {
  const sent = await invoice("INV-1");
  const tries = await Promise.allSettled([1, 2, 3, 4].map(() => addInvoice(finance, sent)));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const one of tries) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "conflict" });
  expect(await count("select 1 from invoice")).toBe(1);
  expect(await count("select 1 from invoice_line")).toBe(4);
});

test("days that no invoice covers are accrued, and a second invoice says where the first one’s excess belongs", async () => {
  const october = await readInvoices(finance, { month: "2026-10" });
  expect(october.accrued.map(({ fromDay, toDay }) => [fromDay, toDay])).toEqual([["2026-10-27", "2026-10-27"]]);
  expect(Number(october.totals.accruedMicros)).toBeGreaterThan(40_000_000);
  // The week before has what ran on the 27th; the week itself has only one of both.
  const { usd } = await metered("m1");
  const early = { ...HEAD, fromDay: "2026-10-19", toDay: "2026-10-25", number: "INV-1" };
  const line = (resource: string) => ({ resource, charge: "usage", amount: usd });
  const total = BigInt(Math.round(Number(usd) * 100)) * 10_000n;
  const first = await addInvoice(finance, { ...early, total, lines: [line("m1")] });
  expect((await readInvoice(finance, { invoiceId: first.id })).variances).toMatchObject([{ class: "timing" }]);
  const second = await addInvoice(finance, { ...HEAD, number: "INV-2", total, lines: [line("m2")] });
  const found = await readInvoice(finance, { invoiceId: second.id });
  expect(found.variances.find(({ evidence }) => evidence.label === "m1")).toMatchObject({ class: "timing" });
  expect((await readInvoices(finance, { month: "2026-10" })).accrued).toEqual([]);
});

test("the columns are remembered, and a file beside typed lines is kept", async () => {
  const odd = {
    columns: { amount: "B", resource: "A" },
    decimal: "comma" as const,
    dateOrder: null,
    unit: "hours" as const,
  };
  await addInvoice(finance, { ...HEAD, number: "INV-1", total: 1_500_000n, csv: "A;B\nm1;1,50", mapping: odd });
  const preview = await previewInvoice(finance, { csv: "B;A\n2,75;m2" });
  expect(preview).toMatchObject({
    mapping: { columns: odd.columns, decimal: "comma" },
    sumMicros: "2750000",
    known: null,
  });
  expect(await previewInvoice(finance, { csv: "A;B\nm1;1,50" })).toMatchObject({ known: "INV-1" });

  const file = new File([new Uint8Array([0x25, 0x50, 0x44, 0x46])], "../inv 2.pdf");
  const lines = [{ description: "GPU hours", amount: "12.00" }];
  const { id } = await sendInvoice(finance, {
    ...HEAD,
    number: "INV-2",
    total: 12_000_000n,
    lines,
    mapping: undefined,
    file,
  });
  expect(await readInvoiceFile(finance, { invoiceId: id })).toMatchObject({ name: "inv 2.pdf" });
  await expect(
    sendInvoice(finance, { ...HEAD, number: "INV-3", total: 1n, lines: undefined, mapping: undefined, file }),
  ).rejects.toMatchObject({ code: "invalid" });
});
