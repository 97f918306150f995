import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { csvLine } from "@/lib/domain/csv";
import { LEDGER_COLUMNS, type LedgerDetail } from "./ledger-csv";

const row: LedgerDetail = {
  key: "k",
  day: "2026-11-20",
  charge: "usage",
  resourceId: "r",
  externalId: "0f1e",
  name: "=cmd|' /C calc'!A0",
  typeName: "gpu_1x_gh200",
  region: "us-east-3",
  team: 'the "A" team, all of it',
  project: "",
  environment: "",
  costCenter: "CC-7",
  startsAt: new Date("2026-11-20T00:00:00Z"),
  endsAt: new Date("2026-11-20T02:29:01Z"),
  minutes: 150,
  byteHours: null,
  priceMicros: 2_290_000n,
  micros: 5_725_000n,
  lowMicros: 5_686_833n,
  highMicros: 5_725_000n,
  isFlagged: false,
};

const read = (one: LedgerDetail) => {
  const text = csvLine(LEDGER_COLUMNS.map(({ name }) => name)) + csvLine(LEDGER_COLUMNS.map(({ cell }) => cell(one)));
  return (parse(text, { columns: true }) as Record<string, string>[])[0];
};

test("a row of the file says the same as the ledger, with all six decimals", () => {
  expect(read(row)).toMatchObject({
    name: "'=cmd|' /C calc'!A0",
    team: 'the "A" team, all of it',
    cost_center: "CC-7",
    from_utc: "2026-11-20T00:00:00.000Z",
    minutes: "150",
    byte_hours: "",
    price_usd: "2.290000",
    amount_usd: "5.725000",
    at_least_usd: "5.686833",
    amount_is_known: "true",
  });
});

test("an unknown price is an empty field and said to be unknown, never nothing", () => {
  const line = read({ ...row, priceMicros: null, micros: null, lowMicros: null, highMicros: null });
  expect(line).toMatchObject({ price_usd: "", amount_usd: "", at_most_usd: "", amount_is_known: "false" });
});

test("storage has byte-hours, and its price is per GiB-month", () => {
  const line = read({ ...row, charge: "storage", minutes: 0, byteHours: "47244640256000" });
  expect(line).toMatchObject({ minutes: "", byte_hours: "47244640256000", price_per: "GiB-month of 720 hours" });
  expect(read({ ...row, charge: "credit", minutes: 0, priceMicros: null })).toMatchObject({ price_per: "" });
});
