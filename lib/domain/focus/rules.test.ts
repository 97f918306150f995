import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { FOCUS_SOURCES } from "@/lib/testing/focus-sources";
import { exportedColumns } from "./columns";
import { focusHead, focusLine } from "./file";
import { focusNumber, isCurrency, isFocusInstant, isKeyValue, isUnit } from "./formats";
import { RuleModel } from "./model";
import { type FocusRow, focusRows } from "./rows";
import { runRules } from "./rules";

const folder = join(process.env.SHARED_DIR ?? "../shared", "fixtures/focus");
const isThere = existsSync(join(folder, "model-1.2.json"));

/** What an account at Lambda supports, and so what of the specification applies. */
const CRITERIA = new Set([
  "ACCOUNT_NAMING_SUPPORTED",
  "BILLING_BASED_ON_PROVISIONED_RESOURCES_SUPPORTED",
  "COMMITMENT_DISCOUNT_SUPPORTED",
  "MULTIPLE_PRICING_CATEGORIES_SUPPORTED",
  "NEGOTIATED_PRICING_SUPPORTED",
  "PUBLIC_PRICE_LIST_SUPPORTED",
  "REGION_SUPPORTED",
  "RESOURCE_TYPE_ASSIGNMENT_SUPPORTED",
  "TAGGING_SUPPORTED",
  "UNIT_PRICING_SUPPORTED",
  "USAGE_MEASUREMENT_SUPPORTED",
]);

/** What a reader of the file sees: text, and null where a field is empty. */
function exported(): { columns: string[]; rows: FocusRow[] } {
  const rows = FOCUS_SOURCES.flatMap((source) => focusRows(source, "UTC"));
  const text = focusHead("1.2") + rows.map((row) => focusLine(row, "1.2")).join("");
  const [columns = [], ...lines]: string[][] = parse(text);
  return {
    columns,
    rows: lines.map((line) =>
      Object.fromEntries(columns.map((id, i) => [id, line[i] === "" ? null : (line[i] ?? null)])),
    ),
  };
}

describe.skipIf(!isThere)(`official rules of FOCUS 1.2${isThere ? "" : ` (skipped: ${folder} is absent)`}`, () => {
  const model = isThere
    ? RuleModel.parse(JSON.parse(readFileSync(join(folder, "model-1.2.json"), "utf8")))
    : { ModelRules: {} };
  const file = exported();
  const found = (rows: readonly FocusRow[], columns: readonly string[] = file.columns) =>
    runRules(model, { columns, rows }, CRITERIA).violations;

  test("the file breaks none", () => {
    expect(found(file.rows)).toEqual([]);
  });

  test("every executable rule was run, or does not apply", () => {
    const report = runRules(model, file, CRITERIA);
    const executable = Object.entries(model.ModelRules).filter(([, rule]) => rule.Type === "Static");
    expect(executable).toHaveLength(420);
    expect([...report.ran, ...report.notApplicable].sort()).toEqual(executable.map(([id]) => id).sort());
    // What is left is of zones, reserved capacity, sub accounts, types of accounts and other currencies.
    const subjects = new Set(report.notApplicable.map((id) => id.split("-")[0]));
    expect([...subjects].filter((one) => one !== "CostAndUsage").sort()).toEqual([
      "AvailabilityZone",
      "BillingAccountType",
      "CapacityReservationId",
      "CapacityReservationStatus",
      "PricingCurrency",
      "PricingCurrencyContractedUnitPrice",
      "PricingCurrencyEffectiveCost",
      "PricingCurrencyListUnitPrice",
      "SubAccountId",
      "SubAccountName",
      "SubAccountType",
    ]);
    expect(report.ran.length).toBeGreaterThan(300);
  });

  const usage = file.rows.findIndex((row) => row.ResourceId !== null && row.ChargeClass === null);
  const at = (category: string) => file.rows.findIndex((row) => row.ChargeCategory === category);
  const unused = file.rows.findIndex((row) => row.CommitmentDiscountStatus === "Unused");
  const used = file.rows.findIndex((row) => row.CommitmentDiscountStatus === "Used");
  const mutated = (index: number, change: FocusRow) =>
    found(file.rows.map((row, i) => (i === index ? { ...row, ...change } : row)));

  // Every column that may not be null, in the rows in which it may not.
  test.each([
    ...[
      "BilledCost",
      "BillingAccountId",
      "BillingAccountName",
      "BillingCurrency",
      "BillingPeriodEnd",
      "BillingPeriodStart",
    ],
    ...["ChargeCategory", "ChargeDescription", "ChargeFrequency", "ChargePeriodEnd", "ChargePeriodStart"],
    ...[
      "ConsumedQuantity",
      "ConsumedUnit",
      "ContractedCost",
      "ContractedUnitPrice",
      "EffectiveCost",
      "InvoiceIssuerName",
    ],
    ...[
      "ListCost",
      "ListUnitPrice",
      "PricingCategory",
      "PricingQuantity",
      "PricingUnit",
      "ProviderName",
      "PublisherName",
    ],
    ...[
      "RegionName",
      "ResourceType",
      "ServiceCategory",
      "ServiceName",
      "ServiceSubcategory",
      "SkuId",
      "SkuMeter",
      "SkuPriceId",
    ],
  ])("%s must not be missing", (column) => {
    const broken = mutated(usage, { [column]: null });
    expect(broken.map(({ rule }) => rule.split("-")[0])).toContain(column);
    expect(broken.every(({ rows }) => rows.length === 0 || rows.includes(usage))).toBe(true);
  });

  test.each([
    "CommitmentDiscountCategory",
    "CommitmentDiscountQuantity",
    "CommitmentDiscountStatus",
    "CommitmentDiscountType",
    "CommitmentDiscountUnit",
  ])("%s must not be missing from covered usage", (column) => {
    expect(mutated(used, { [column]: null }).map(({ rule }) => rule.split("-")[0])).toContain(column);
  });

  // A value of each type that is wrong in form.
  test.each(exportedColumns("1.2").filter(({ id, type }) => !id.startsWith("x_") && type !== "String"))(
    "$id must be a $type",
    ({ id, type }) => {
      const index = id.startsWith("Commitment") ? used : usage;
      const wrong = {
        Decimal: ["1,000.00", "+1", "1E+7", "$1", "abc", ""],
        DateTime: ["2026-11-10", "2026-11-10T00:00:00.000Z", "2026-11-10T02:00:00+02:00", "2026-13-10T00:00:00Z"],
        JSON: ["{", "[]", '{"a":{"b":1}}', '{"a":1,"a":2}', "team=ml"],
      };
      for (const text of type === "String" ? [] : wrong[type])
        expect(
          mutated(index, { [id]: text }).map(({ rule }) => rule.split("-")[0]),
          text,
        ).toContain(id);
    },
  );

  test.each(exportedColumns("1.2").filter(({ id, type }) => !id.startsWith("x_") && type === "String"))(
    "$id must not be an empty text",
    ({ id }) => {
      const index = id.startsWith("Commitment")
        ? used
        : id === "ChargeClass"
          ? file.rows.findIndex((row) => row.ChargeClass)
          : usage;
      expect(mutated(index, { [id]: "" }).map(({ rule }) => rule.split("-")[0])).toContain(id);
    },
  );

  // Values that are right in form and wrong in meaning.
  test.each<[string, number, FocusRow, string]>([
    ["a list cost a billionth off", usage, { ListCost: "1.41216666666744" }, "ListCost-C-009-C"],
    ["a contracted cost that was rounded", usage, { ContractedCost: "1.412167" }, "ContractedUnitPrice-C-011-C"],
    ["a negative price", usage, { ListUnitPrice: "-2.29", ListCost: "-1.41216666666743" }, "ListUnitPrice-C-008-M"],
    ["a currency that is none", usage, { BillingCurrency: "XQZ" }, "BillingCurrency-C-006-M"],
    ["a category that is none", usage, { ChargeCategory: "usage" }, "ChargeCategory-C-003-M"],
    ["a class that is none", usage, { ChargeClass: "Corrected" }, "ChargeClass-C-005-C"],
    ["a frequency that is none", usage, { ChargeFrequency: "Daily" }, "ChargeFrequency-C-003-M"],
    ["a pricing category that is none", usage, { PricingCategory: "Spot" }, "PricingCategory-C-007-M"],
    ["a service category that is none", usage, { ServiceCategory: "GPUs" }, "ServiceCategory-C-003-M"],
    ["a subcategory of another category", usage, { ServiceSubcategory: "File Storage" }, "ServiceSubcategory-C-004-M"],
    ["one service in two categories", usage, { ServiceName: "Filesystems" }, "ServiceName-C-005-C"],
    ["one price of two things", usage, { SkuPriceId: "filesystem/us-east-3/on-demand" }, "SkuPriceId-C-008-M"],
    ["a unit that is none", usage, { PricingUnit: "hours" }, "PricingUnit-C-003-O"],
    ["a consumed unit that is none", usage, { ConsumedUnit: "per hour" }, "ConsumedUnit-C-003-O"],
    ["a bill of somebody else", usage, { InvoiceIssuerName: "Reseller" }, "BilledCost-C-005-C"],
    ["a type of no resource", at("Credit"), { ResourceType: "Instance" }, "ResourceType-C-004-C"],
    ["a tax with a price", at("Tax"), { ListUnitPrice: "1", PricingQuantity: "1" }, "ListUnitPrice-C-004-C"],
    ["a tax with a SKU", at("Tax"), { SkuId: "tax" }, "SkuId-C-004-C"],
    ["a purchase by use", at("Purchase"), { ChargeFrequency: "Usage-Based" }, "ChargeFrequency-C-004-C"],
    ["a purchase that is used up at once", at("Purchase"), { EffectiveCost: "2.000000" }, "EffectiveCost-C-005-C"],
    [
      "a credit that was consumed",
      at("Credit"),
      { ConsumedQuantity: "1", ConsumedUnit: "Hours" },
      "ConsumedQuantity-C-004-C",
    ],
    [
      "an unused hour that was consumed",
      unused,
      { ConsumedQuantity: "1", ConsumedUnit: "Hours" },
      "ConsumedQuantity-C-004-C",
    ],
    ["a status of no commitment", usage, { CommitmentDiscountStatus: "Used" }, "CommitmentDiscountStatus-C-003-C"],
    ["a status that is none", used, { CommitmentDiscountStatus: "Active" }, "CommitmentDiscountStatus-C-005-M"],
    ["details of no price", at("Credit"), { SkuPriceDetails: "{}" }, "SkuPriceDetails-C-004-C"],
    ["a name of no region", at("Credit"), { RegionName: "Virginia" }, "RegionName-C-004-C"],
  ])("%s is caught", (_, index, change, rule) => {
    expect(mutated(index, change).map((one) => one.rule)).toContain(rule);
  });

  test.each(
    Object.entries(model.ModelRules).flatMap(([id, rule]) => {
      const { CheckFunction, ColumnName = "" } = rule.ValidationCriteria.Requirement;
      const applies = rule.ApplicabilityCriteria.every((one) => CRITERIA.has(one));
      return CheckFunction === "ColumnPresent" && applies ? [{ id, column: ColumnName }] : [];
    }),
  )("without $column the file is not one ($id)", ({ id, column }) => {
    expect(
      found(
        file.rows,
        file.columns.filter((one) => one !== column),
      ).map(({ rule }) => rule),
    ).toContain(id);
  });

  test("a check that is not known is no pass", () => {
    const rule = model.ModelRules["BilledCost-C-001-M"];
    if (!rule) throw new Error("the model has lost a rule");
    const strange = {
      ...rule,
      ValidationCriteria: { ...rule.ValidationCriteria, Requirement: { CheckFunction: "CheckMood" } },
    };
    expect(() => runRules({ ModelRules: { strange } }, file, CRITERIA)).toThrow("CheckMood");
  });
});

describe("formats", () => {
  test.each([["4"], ["-3"], ["1.234"], ["-100.2"], ["0"], ["35.2E-7"], ["1.5E-3"], ["35.2E7"]])(
    "%s is a number",
    (text) => {
      expect(focusNumber(text)).not.toBeNull();
    },
  );

  test.each([["35.2E+7"], ["1.5E+3"], ["35.24 x 10^7"], ["2.3^3"], ["3,432,342"], ["+333"], ["abc"], [""], ["."]])(
    "%s is none",
    (text) => {
      expect(focusNumber(text)).toBeNull();
    },
  );

  test.each([
    ["Hours", true],
    ["GiB-Months", true],
    ["GPU-Hours", true],
    ["GB", true],
    ["Requests", true],
    ["GB/Second", true],
    ["hours", false],
    ["Hour", false],
    ["GiB months", false],
    ["", false],
  ])("unit %j: %s", (text, isOne) => {
    expect(isUnit(text)).toBe(isOne);
  });

  test.each([
    ["{}", true],
    ['{"a":"x y","b":true,"c":1,"d":null}', true],
    ['{"a":[1]}', false],
    ['{"a":1,"a":1}', false],
    ["null", false],
    ["x", false],
  ])("key-values %j: %s", (text, isOne) => {
    expect(isKeyValue(text)).toBe(isOne);
  });

  test("instants and currencies", () => {
    expect(["2026-11-10T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-10 00:00:00Z"].map(isFocusInstant)).toEqual([
      true,
      false,
      false,
    ]);
    expect(["USD", "EUR", "usd", "XQZ"].map(isCurrency)).toEqual([true, true, false, false]);
  });
});
