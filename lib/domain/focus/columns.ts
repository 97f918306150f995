/**
 * Columns of the FOCUS "Cost and Usage" dataset, after the FinOps Open Cost and Usage Specification (CC BY 4.0): 1.2 as of its
 * tag v1.2, 1.4 as of the published data model of June 2026. One line per column: id, type, then for 1.2 and for 1.4 its level
 * (Mandatory, Recommended, Conditional, - absent) and whether it may be null (y, n).
 */
const TABLE = `
  AllocatedMethodDetails JSON - - R y
  AllocatedMethodId String - - C y
  AllocatedResourceId String - - C y
  AllocatedResourceName String - - C y
  AllocatedTags JSON - - C y
  AvailabilityZone String R y R y
  BilledCost Decimal M n M n
  BillingAccountId String M n M n
  BillingAccountName String M y M y
  BillingAccountType String C n C n
  BillingCurrency String M n M n
  BillingPeriodEnd DateTime M n M n
  BillingPeriodStart DateTime M n M n
  CapacityReservationId String C y C y
  CapacityReservationStatus String C y C y
  ChargeCategory String M n M n
  ChargeClass String M y M y
  ChargeDescription String M y M y
  ChargeFrequency String R n R n
  ChargePeriodEnd DateTime M n M n
  ChargePeriodStart DateTime M n M n
  CommitmentDiscountCategory String C y C y
  CommitmentDiscountId String C y C y
  CommitmentDiscountName String C y C y
  CommitmentDiscountQuantity Decimal C y C y
  CommitmentDiscountStatus String C y C y
  CommitmentDiscountType String C y C y
  CommitmentDiscountUnit String C y C y
  CommitmentProgramEligibilityDetails JSON - - C y
  ConsumedQuantity Decimal C y C y
  ConsumedUnit String C y C y
  ContractApplied JSON - - C y
  ContractedCost Decimal M n M n
  ContractedUnitPrice Decimal C y C y
  EffectiveCost Decimal M n M n
  HostProviderName String - - M y
  InvoiceDetailId String - - C y
  InvoiceId String R y C y
  InvoiceIssuerName String M n M n
  ListCost Decimal M n M n
  ListUnitPrice Decimal C y C y
  PricingCategory String C y C y
  PricingCurrency String C y C n
  PricingCurrencyContractedUnitPrice Decimal C y C y
  PricingCurrencyEffectiveCost Decimal C y C n
  PricingCurrencyListUnitPrice Decimal C y C y
  PricingQuantity Decimal M y M y
  PricingUnit String M y M y
  ProviderName String M n - -
  PublisherName String M n - -
  RegionId String C y C y
  RegionName String C y C y
  ResourceId String C y C y
  ResourceName String C y C y
  ResourceType String C y C y
  ServiceCategory String M n M n
  ServiceName String M n M n
  ServiceProviderName String - - M n
  ServiceSubcategory String R n R n
  SkuId String C y C y
  SkuMeter String C y C y
  SkuPriceDetails JSON C y C y
  SkuPriceId String C y C y
  SubAccountId String C y C y
  SubAccountName String C y C y
  SubAccountType String C y C y
  Tags JSON C y C y
`;

export const FOCUS_VERSIONS = ["1.2", "1.4"] as const;
export type FocusVersion = (typeof FOCUS_VERSIONS)[number];

export type FocusType = "String" | "Decimal" | "DateTime" | "JSON";
export type FocusLevel = "Mandatory" | "Recommended" | "Conditional" | "absent";

export type FocusColumn = {
  id: string;
  type: FocusType;
  levels: Record<FocusVersion, FocusLevel>;
  /** False where it is absent. */
  isNullable: Record<FocusVersion, boolean>;
};

const LEVELS: Record<string, FocusLevel> = { M: "Mandatory", R: "Recommended", C: "Conditional", "-": "absent" };
const TYPES: readonly FocusType[] = ["String", "Decimal", "DateTime", "JSON"];

export const FOCUS_COLUMNS: readonly FocusColumn[] = TABLE.trim()
  .split("\n")
  .map((line) => {
    const [id = "", type, level2 = "", null2, level4 = "", null4] = line.trim().split(" ");
    return {
      id,
      type: TYPES.find((one) => one === type) ?? "String",
      levels: { "1.2": LEVELS[level2] ?? "absent", "1.4": LEVELS[level4] ?? "absent" },
      isNullable: { "1.2": null2 === "y", "1.4": null4 === "y" },
    };
  });

/** What has no meaning here: no zones within a region, one type of account, one currency, no reserved capacity, no split rows. */
const LEFT_OUT = new Set([
  "AllocatedMethodDetails",
  "AllocatedMethodId",
  "AllocatedResourceId",
  "AllocatedResourceName",
  "AllocatedTags",
  "AvailabilityZone",
  "BillingAccountType",
  "CapacityReservationId",
  "CapacityReservationStatus",
  "CommitmentProgramEligibilityDetails",
  "ContractApplied",
  "PricingCurrency",
  "PricingCurrencyContractedUnitPrice",
  "PricingCurrencyEffectiveCost",
  "PricingCurrencyListUnitPrice",
  "SubAccountId",
  "SubAccountName",
  "SubAccountType",
]);

/** Columns of our own, after those of the specification; in order of the alphabet, as 1.4 wants both. */
export const OWN_COLUMNS: readonly { id: `x_${string}`; type: FocusType; about: string }[] = [
  {
    id: "x_ChargeKey",
    type: "String",
    about: "The row of the ledger; with /unused where one row has a used and an unused part.",
  },
  { id: "x_CorrectsChargeKey", type: "String", about: "The row of a closed month that this one corrects." },
  {
    id: "x_CostHighUsd",
    type: "Decimal",
    about: "What the charge is at most, where the beginning or end is not known to the minute.",
  },
  { id: "x_CostLowUsd", type: "Decimal", about: "What the charge is at least." },
  { id: "x_Minutes", type: "Decimal", about: "Billed minutes." },
  {
    id: "x_NeedsReview",
    type: "String",
    about: "true where somebody should look: the bounds lie far apart, or a measure was missing.",
  },
  { id: "x_PriceIntervalId", type: "String", about: "The row of the price book in force." },
  { id: "x_SegmentEnd", type: "DateTime", about: "When the charged time of the day ended." },
  { id: "x_SegmentStart", type: "DateTime", about: "When the charged time of the day began." },
];

/** The columns of a file, in its order. */
export function exportedColumns(version: FocusVersion): { id: string; type: FocusType }[] {
  const own = FOCUS_COLUMNS.filter(({ id, levels }) => levels[version] !== "absent" && !LEFT_OUT.has(id));
  return [...own, ...OWN_COLUMNS].map(({ id, type }) => ({ id, type }));
}
