import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { NewQuote, QuoteVerdict, readQuoteFile } from "./quote-input";
import { usdText } from "./quotes";

const DAY = "2026-11-20";
const HEAD =
  "provider,instance_type,gpu,gpu_count,gpu_mem_gb,ondemand_usd_h,spot_usd_h,as_of,source,price_unit,tier,status";
const GOOD = "AWS,p5.48xlarge,H100 SXM,8,80,55.04,,2026-11-01,AWS price list,instance,on-demand,confirmed";
const read = (...lines: string[]) => readQuoteFile([HEAD, ...lines].join("\n"), DAY);

describe("a list of prices", () => {
  test("a line with a price on demand and one on spot are two prices", () => {
    const { lines, errors } = read(GOOD.replace("55.04,", "55.04,19.5"));
    expect(errors).toEqual([]);
    expect(
      lines.map(({ line, provider, tier, micros, status }) => [line, provider, tier, usdText(micros), status]),
    ).toEqual([
      [2, "aws", "on_demand", "$55.04", "confirmed"],
      [2, "aws", "spot", "$19.50", "confirmed"],
    ]);
  });

  test("comma, semicolon or tab, with a byte order mark, in any order of columns", () => {
    const text =
      "\ufeffSource;as_of;Provider;instance_type;gpu;gpu_count;ondemand_usd_h\nlist;2026-11-01;RunPod;H100;H100;1;2.69";
    expect(readQuoteFile(text, DAY)).toMatchObject({
      errors: [],
      lines: [
        { provider: "runpod", unit: "instance", tier: "on_demand", status: "claimed", gpuMemoryGb: null, region: "" },
      ],
    });
  });

  test.each([
    [
      "no day",
      GOOD.replace("2026-11-01", ""),
      "Nothing is not a day such as 2026-11-01: a price without its day is no price.",
    ],
    [
      "a day that does not exist",
      GOOD.replace("2026-11-01", "2026-02-30"),
      "2026-02-30 is not a day such as 2026-11-01: a price without its day is no price.",
    ],
    ["a day to come", GOOD.replace("2026-11-01", "2026-12-01"), "2026-12-01 is yet to come."],
    ["no source", GOOD.replace("AWS price list", ""), "The source is empty."],
    ["no price", GOOD.replace("55.04", ""), "It has no price."],
    ["no number", GOOD.replace("55.04", "55,04 $"), /is not a price in dollars/],
    ["nothing", GOOD.replace("55.04", "0"), "0 in ondemand_usd_h is not a price in dollars such as 2.29."],
    ["no GPUs", GOOD.replace(",8,80", ",0,80"), "0 is not a number of GPUs."],
    ["no size", GOOD.replace(",8,80", ",8,big"), "big is not a size of memory in GB."],
    [
      "a strange unit",
      GOOD.replace("instance,on-demand", "rack,on-demand"),
      "The unit rack is none of instance, gpu, gpu component.",
    ],
    ["a strange tier", GOOD.replace("on-demand", "gold"), /^The tier gold is none of on-demand,/],
    ["a strange status", GOOD.replace("confirmed", "true"), "The status true is none of claimed, confirmed, rejected."],
  ])("%s is told with its line", (_, line, message) => {
    const { errors } = read(GOOD, line.includes('"') ? line : line.replace("55,04 $", '"55,04 $"'));
    expect(errors).toHaveLength(1);
    expect(errors[0]?.line).toBe(3);
    expect(errors[0]?.message).toMatch(message);
  });

  test("the same price twice is one, another price of the same thing is an error", () => {
    expect(read(GOOD, GOOD).lines).toHaveLength(1);
    expect(read(GOOD, GOOD.replace("55.04", "54"))).toMatchObject({
      errors: [{ line: 3, message: "It prices the same thing as line 2, otherwise." }],
    });
    expect(read(GOOD, GOOD.replace(",8,80", ",8,94")).errors).toEqual([]);
  });

  test("a head that lacks something says what", () => {
    expect(readQuoteFile("provider,price\naws,1", DAY).errors[0]?.message).toMatch(
      /^The head lacks instance_type, gpu, gpu_count, as_of, source\. It has no column of prices: .* There is no column price\./,
    );
    expect(readQuoteFile("", DAY).errors).toEqual([{ line: 1, message: "There is no line below the head." }]);
    expect(readQuoteFile('provider\n"aws', DAY).errors).toHaveLength(1);
  });

  const reference = resolve(process.env.SHARED_DIR ?? "../shared", "reference/price-catalog.csv");
  test.skipIf(!existsSync(reference))(
    "a long list of real prices is read; only what has no day or contradicts itself is refused",
    () => {
      const { lines, errors } = readQuoteFile(readFileSync(reference, "utf8"), DAY);
      expect(lines.length).toBeGreaterThan(650);
      expect(errors.filter(({ message }) => message.startsWith("Nothing is not a day"))).toHaveLength(12);
      expect(errors.every(({ message }) => /Nothing is not a day|prices the same thing/.test(message))).toBe(true);
    },
  );
});

describe("a price by hand", () => {
  const form = {
    provider: "Google Cloud",
    typeName: " a3-highgpu-8g ",
    gpu: "H100",
    gpus: "8",
    gpuMemoryGb: "80",
    tier: "on_demand",
    unit: "instance",
    price: "88.25",
    asOf: "2026-11-19",
    source: "price list",
  };

  test("is read from a form", () => {
    expect(NewQuote.parse(form)).toMatchObject({
      provider: "gcp",
      typeName: "a3-highgpu-8g",
      gpus: 8,
      gpuMemoryGb: 80,
      price: 88_250_000n,
      status: "claimed",
    });
    expect(NewQuote.parse({ ...form, gpuMemoryGb: "" }).gpuMemoryGb).toBeNull();
  });

  test.each(["provider", "typeName", "gpu", "gpus", "tier", "unit", "price", "asOf", "source"])(
    "without %s it is refused",
    (field) => {
      expect(NewQuote.safeParse({ ...form, [field]: "" }).error?.issues.map(({ path }) => path[0])).toEqual([field]);
    },
  );

  test("a rejection says why", () => {
    expect(QuoteVerdict.safeParse({ quoteId: "a", status: "rejected" }).success).toBe(false);
    expect(QuoteVerdict.safeParse({ quoteId: "a", status: "rejected", note: "no such offer" }).success).toBe(true);
    expect(QuoteVerdict.safeParse({ quoteId: "a", status: "confirmed" }).success).toBe(true);
  });
});
