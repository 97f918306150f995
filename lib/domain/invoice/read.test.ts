import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { decimalText } from "@/lib/domain/cost/decimal";
import { FUZZ_RUNS, FUZZ_TIMEOUT_MS, untrustedTexts, withoutStall } from "@/lib/testing/mutate";
import { parseMoney, parseQuantity, Unreadable, unitOf } from "./amount";
import { addDays, countDays, guessOrder, parseDay } from "./date";
import { readLine, readLines } from "./lines";
import { fieldOf, guessMapping, isHeadLine, type Mapping } from "./mapping";
import { MOST_LINES, readTable, type Table } from "./table";

describe("amounts", () => {
  test.each([
    ["1234.56", 1_234_560_000n],
    ["$1,234.56", 1_234_560_000n],
    ["US$ 1,234.56", 1_234_560_000n],
    ["1 234.56 USD", 1_234_560_000n],
    ["1'234'567.8", 1_234_567_800_000n],
    ["(12.34)", -12_340_000n],
    ["($1,000)", -1_000_000_000n],
    ["-$5", -5_000_000n],
    ["$-5", -5_000_000n],
    ["−5.00", -5_000_000n],
    ["5.00-", -5_000_000n],
    ["12.34 CR", -12_340_000n],
    ["-12.34 CR", -12_340_000n],
    ["12.34 DR", 12_340_000n],
    [".5", 500_000n],
    ["+7", 7_000_000n],
    ["0.000001", 1n],
    ["2.2900000000", 2_290_000n],
  ])("%s is %d micro-dollars", (text, micros) => {
    expect(parseMoney(text)).toBe(micros);
  });

  test.each([
    ["1.234,56", 1_234_560_000n],
    ["12,5", 12_500_000n],
    ["1.234", 1_234_000_000n],
    ["$ 1 234,56", 1_234_560_000n],
  ])("%s with a decimal comma is %d", (text, micros) => {
    expect(parseMoney(text, "comma")).toBe(micros);
  });

  test.each([
    ["", "is empty"],
    ["€5", "is not in US dollars"],
    ["5 EUR", "is not in US dollars"],
    ["12,50", "is not a number with a decimal point: “12,50”"],
    ["1,23,456", "is not a number: “1,23,456”"],
    ["1.2.3", "is not a number: “1.2.3”"],
    ["0.0000001", "is finer than a millionth of a dollar"],
    ["9".repeat(19), "is too large"],
    ["1e5", "is not a number: “1e5”"],
    ["--5", "is not a number: “-5”"],
    ["$", "is not a number"],
  ])("%s is refused: %s", (text, why) => {
    expect(() => parseMoney(text)).toThrow(new Unreadable(why));
  });

  it("reads back what it means, with either mark and thousands", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }), fc.boolean(), (micros, isPoint) => {
        const [whole = "", part = ""] = decimalText(micros, 1_000_000n, 6).split(".");
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, isPoint ? "," : ".");
        expect(parseMoney(`${grouped}${isPoint ? "." : ","}${part}`, isPoint ? "point" : "comma")).toBe(micros);
      }),
    );
  });
});

describe("quantities", () => {
  test.each([
    ["149", "minutes", 149_000_000n],
    ["2.48", "hours", 148_800_000n],
    ["1,440", "minutes", 1_440_000_000n],
    ["2:29", "hours", 149_000_000n],
    ["2:29:30", "hours", 149_500_000n],
    ["90 s", "hours", 1_500_000n],
    ["168 hrs", "minutes", 10_080_000_000n],
    ["168 GPU-hours", "minutes", 10_080_000_000n],
    ["1.5", "gib_months", 1_080_000_000n],
    ["1,024 GiB-hours", "gib_months", 1_024_000_000n],
    ["0.3333333333", "hours", 20_000_000n],
  ] as const)("%s in %s", (text, unit, found) => {
    expect(parseQuantity(text, unit)).toBe(found);
  });

  test.each(["", "two", "5 parsecs", "1:75", "3 :"])("%j is none", (text) => {
    expect(() => parseQuantity(text, "hours")).toThrow(Unreadable);
  });

  test.each([
    ["GiB-Months", "gib_months"],
    ["Hrs", "hours"],
    ["instance-hours", "hours"],
    ["GB hours", "gib_hours"],
    ["fortnights", null],
  ])("%s is %s", (text, unit) => {
    expect(unitOf(text)).toBe(unit);
  });
});

describe("days", () => {
  test.each([
    ["2026-11-02", "2026-11-02"],
    ["2026-11-02T13:45:00Z", "2026-11-02"],
    ["2026/1/2", "2026-01-02"],
    ["20261102", "2026-11-02"],
    ["2 Nov 2026", "2026-11-02"],
    ["02-Nov-26", "2026-11-02"],
    ["November 2, 2026", "2026-11-02"],
    ["Nov 2nd 2026", "2026-11-02"],
    ["25/12/2026", "2026-12-25"],
    ["12/25/2026", "2026-12-25"],
    ["11/11/2026", "2026-11-11"],
  ])("%s needs no choice", (text, day) => {
    expect(parseDay(text, null).day).toBe(day);
  });

  it("asks where a date may be two days, and takes the order that was chosen", () => {
    expect(() => parseDay("03/04/2026", null)).toThrow("may be a day of two months: 03/04/2026");
    expect(parseDay("03/04/2026", "mdy").day).toBe("2026-03-04");
    expect(parseDay("03/04/2026", "dmy").day).toBe("2026-04-03");
    expect(guessOrder(["03/04/2026", "03/27/2026"])).toBe("mdy");
    expect(guessOrder(["03.04.2026", "27.03.2026"])).toBe("dmy");
    expect(guessOrder(["03/04/2026", "05/04/2026"])).toBeNull();
  });

  test.each(["2026-02-30", "31/11/2026", "13/13/2026", "Smarch 3 2026", "yesterday", "1999-01-01", "0"])(
    "%s is none",
    (text) => {
      expect(() => parseDay(text, "dmy")).toThrow(Unreadable);
    },
  );

  it("counts over months and leap days", () => {
    expect([addDays("2028-02-28", 1), addDays("2026-03-01", -1)]).toEqual(["2028-02-29", "2026-02-28"]);
    expect(countDays("2026-10-26", "2026-11-01")).toBe(7);
  });
});

const table = (text: string): Table => {
  const found = readTable(text, isHeadLine);
  if ("problem" in found) throw new Error(found.problem);
  return found;
};
const read = (text: string, change: Partial<Mapping> = {}) => {
  const found = table(text);
  return readLines(found, { ...guessMapping(found, null), ...change });
};

const CSV = `Lambda Labs,,,,
Invoice,INV-20418,,,
Description,Instance ID,Hours,Start,End,Amount (USD)
gpu_1x_gh200,0123456789abcdef0123456789abcdef,168.00,2026-10-26T00:00:00Z,2026-11-02T00:00:00Z,"$384.72"
"Storage, datasets",,,,,"1,000.00"
Sales tax 8.875%,,,,,122.89
Promo credit,,,,,(50.00)
Total,,,,,"1,457.61"
`;

describe("tables", () => {
  it("finds the heads, what each line charges for, and the total", () => {
    const { lines, problems, skipped, sumMicros } = read(CSV);
    expect(problems).toEqual([]);
    expect(lines.map(({ charge, micros, at }) => [charge, Number(micros) / 1e6, at])).toEqual([
      ["usage", 384.72, 4],
      ["storage", 1000, 5],
      ["tax", 122.89, 6],
      ["credit", -50, 7],
    ]);
    expect(lines[0]).toMatchObject({
      resource: "0123456789abcdef0123456789abcdef",
      quantityMicros: 10_080_000_000n,
      fromDay: "2026-10-26",
      toDay: "2026-11-01",
    });
    expect(skipped).toMatchObject([{ at: 8, text: "Total", micros: 1_457_610_000n }]);
    expect(sumMicros).toBe(1_457_610_000n);
  });

  it("reads what is pasted from a sheet, and what is parted by semicolons", () => {
    const pasted = read("Item\tQty\tUnit\tTotal\ngpu_1x_a10 (us-east-1)\t90\tmin\t$1.13");
    expect(pasted.lines).toMatchObject([
      { description: "gpu_1x_a10 (us-east-1)", quantityMicros: 90_000_000n, micros: 1_130_000n },
    ]);
    expect(read("Name;Amount\nm1;1.234,56\nm2;7,00").lines.map(({ micros }) => micros)).toEqual([
      1_234_560_000n,
      7_000_000n,
    ]);
  });

  it("names every line that cannot be read, and keeps the rest", () => {
    const { lines, problems } = read("Name,From,Quantity,Amount\na,03/04/2026,1,1.00\nb,,two,2.00\nc,,,\nd,,1,4.00\n");
    expect(lines.map(({ resource }) => resource)).toEqual(["d"]);
    expect(problems).toMatchObject([
      { at: 2, field: "from", message: expect.stringContaining("Choose the order of dates") },
      { at: 3, field: "quantity" },
      { at: 4, field: "amount", message: "Amount is missing" },
    ]);
  });

  it("maps by remembered heads first, and says where no column holds amounts", () => {
    const remembered: Mapping = {
      columns: { amount: "Foo", resource: "Bar" },
      decimal: "point",
      dateOrder: "dmy",
      unit: "minutes",
    };
    const odd = table("Bar,Foo\nm1,2.00");
    expect(guessMapping(odd, remembered)).toMatchObject({
      columns: remembered.columns,
      dateOrder: "dmy",
      unit: "minutes",
    });
    expect(readLines(odd, guessMapping(odd, null)).problems).toMatchObject([{ field: "amount" }]);
    expect(["Line Total", "Instance ID", "Usage (hours)", "Unit price", "Whatever"].map(fieldOf)).toEqual([
      "amount",
      "resource",
      "quantity",
      "rate",
      null,
    ]);
  });

  it.each([
    ["", "There is no table"],
    ["a\0b", "NUL"],
    ['a,"b\n', "cannot be read"],
    ["x\n".repeat(MOST_LINES + 1), "more than 20,000 lines"],
    ["x".repeat(2 * 1024 * 1024 + 1), "larger than 2 MiB"],
  ])("says what is wrong with what is no table", (text, why) => {
    expect(readTable(text, isHeadLine)).toMatchObject({ problem: expect.stringContaining(why) });
  });

  it("takes the same amount typed with or without signs as a line", () => {
    const how = { decimal: "point", dateOrder: null, unit: "hours" } as const;
    expect(readLine({ description: "GH200, week 44", quantity: "168", amount: "$384.72" }, how)).toMatchObject({
      problems: [],
      line: { charge: "usage", quantityMicros: 10_080_000_000n, micros: 384_720_000n },
    });
    expect(readLine({ description: "x", from: "2026-11-02", to: "2026-11-01", amount: "1" }, how).line).toBeNull();
  });

  it("is not brought down or held up by any text, and its lines add up", { timeout: FUZZ_TIMEOUT_MS }, () => {
    fc.assert(
      fc.property(untrustedTexts([CSV, CSV.replaceAll(",", "\t"), "Name;Amount\nm1;1.234,56\n"]), (text) => {
        const found = withoutStall(() => {
          const one = readTable(text, isHeadLine);
          return "problem" in one ? null : readLines(one, guessMapping(one, null));
        });
        if (!found) return;
        expect(found.lines.reduce((all, { micros }) => all + micros, 0n)).toBe(found.sumMicros);
        expect(found.lines.map(({ line }) => line)).toEqual(found.lines.map((_, i) => i + 1));
      }),
      { numRuns: FUZZ_RUNS },
    );
  });
});
