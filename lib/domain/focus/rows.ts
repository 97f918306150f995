import { dayRange, monthRange } from "@/lib/domain/cost/zone";
import { gibHoursText, gibMonthsText, hoursText, productText, unitPriceText, usdText } from "./amounts";
import type { FocusSource, FocusType } from "./source";

/** Values by column; a column that is not named is null. Numbers are plain decimals, instants UTC, key-values JSON. */
export type FocusRow = Readonly<Record<string, string | null>>;

const PROVIDER = "Lambda";

type Service = { name: string; category: string; subcategory: string };

// One category per service name: a reader may count on it.
const ON_DEMAND: Service = { name: "On-Demand Cloud", category: "Compute", subcategory: "Virtual Machines" };
const RESERVED: Service = { name: "Reserved Cloud", category: "Compute", subcategory: "Virtual Machines" };
const FILESYSTEMS: Service = { name: "Filesystems", category: "Storage", subcategory: "File Storage" };
const ACCOUNT: Service = { name: "Lambda Cloud account", category: "Other", subcategory: "Other (Other)" };

/**
 * What a row of the ledger is in FOCUS: none where its price is not known, for nothing is not known to cost nothing; two where
 * one commitment row has both a payment and an unused part; none for a day on which all of a commitment was used. BilledCost is the ledger's amount, to the micro-dollar.
 */
export function focusRows(source: FocusSource, zone: string): FocusRow[] {
  if (source.micros === null) return [];
  const { charge } = source;
  if (charge === "usage" || charge === "storage") return [usage(source, zone)];
  if (charge !== "commitment") return [plain(source, zone)];
  const isUnused = source.minutes !== 0 || Boolean(source.effectiveMicros);
  if (source.micros === 0n) return isUnused ? [leftOver(source, zone)] : [];
  return isUnused ? [purchase(source, zone), leftOver(source, zone)] : [purchase(source, zone)];
}

function usage(source: FocusSource, zone: string): FocusRow {
  const { micros, type, region } = source;
  const isStorage = source.charge === "storage";
  const service = isStorage ? FILESYSTEMS : ON_DEMAND;
  const sku = isStorage ? "filesystem" : (type?.name ?? "unknown");
  const bytes = source.byteHours ?? 0n;
  const quantity = isStorage ? gibMonthsText(bytes) : hoursText(BigInt(source.minutes));
  const consumed = isStorage ? gibHoursText(bytes) : quantity;
  const contracted = source.priceMicros;
  const list = source.listPriceMicros ?? contracted;
  const isCovered = source.commitment !== null;
  return {
    ...common(source, zone, service),
    ...priced(source, { quantity, list, contracted: isCovered ? list : contracted }),
    ChargeCategory: "Usage",
    ChargeFrequency: "Usage-Based",
    ChargeDescription: isStorage
      ? `filesystem ${region ?? ""} ${consumed} GiB-hours`.replace("  ", " ")
      : words([
          sku,
          region,
          `${shortHours(source.minutes)} h`,
          list !== null && `@ $${unitPriceText(contracted ?? list)}/h`,
        ]),
    PricingCategory: isCovered ? "Committed" : "Standard",
    PricingUnit: isStorage ? "GiB-Months" : "Hours",
    ConsumedQuantity: consumed,
    ConsumedUnit: isStorage ? "GiB-Hours" : "Hours",
    SkuId: sku,
    SkuMeter: isStorage ? "Storage GiB-Hours" : "Instance Hours",
    SkuPriceId: skuPrice(sku, region, isCovered ? "reserved" : "on-demand"),
    SkuPriceDetails: isStorage ? null : details(sku, type),
    EffectiveCost: usdText(source.effectiveMicros ?? micros ?? 0n),
    ...(isCovered && commitment(source, quantity, "Used")),
    x_Minutes: isStorage ? null : String(source.minutes),
  };
}

/** What was paid for a commitment: it is used up elsewhere, so its effective cost is nothing. */
function purchase(source: FocusSource, zone: string): FocusRow {
  const micros = source.micros ?? 0n;
  const size = micros < 0n ? -micros : micros;
  const quantity = micros < 0n ? "-1" : "1";
  const { commitment: own } = source;
  const sku = own?.sku ?? "reservation";
  return {
    ...common(source, zone, RESERVED),
    ...priced(source, { quantity, list: size, contracted: size }),
    ChargeCategory: "Purchase",
    ChargeFrequency: own?.isRecurring ? "Recurring" : "One-Time",
    ChargeDescription: source.note ?? words(["Reservation", own?.name]),
    PricingCategory: "Standard",
    PricingUnit: "Reservations",
    SkuId: sku,
    SkuMeter: "Reservations",
    SkuPriceId: skuPrice(sku, own?.region || null, `reservation/${own?.id ?? source.key}`),
    EffectiveCost: "0.000000",
    RegionId: own?.region || null,
    RegionName: own?.region || null,
    ...commitment(source, own?.hours ?? "0", null),
  };
}

/** What of a commitment nobody used in a day. */
function leftOver(source: FocusSource, zone: string): FocusRow {
  const { commitment: own } = source;
  const sku = own?.sku ?? "reservation";
  const quantity = hoursText(BigInt(source.minutes));
  const list = source.listPriceMicros ?? 0n;
  const key = source.micros === 0n ? source.key : `${source.key}/unused`;
  return {
    ...common({ ...source, lowMicros: null, highMicros: null }, zone, RESERVED),
    ...priced({ ...source, micros: 0n }, { quantity, list, contracted: list }),
    BilledCost: "0.000000",
    ChargeCategory: "Usage",
    ChargeFrequency: "Usage-Based",
    ChargeDescription: words(["Unused part of", own?.name ?? "a reservation"]),
    PricingCategory: "Committed",
    PricingUnit: "Hours",
    SkuId: sku,
    SkuMeter: "Instance Hours",
    SkuPriceId: skuPrice(sku, own?.region || null, "reserved"),
    EffectiveCost: usdText(source.effectiveMicros ?? 0n),
    RegionId: own?.region || null,
    RegionName: own?.region || null,
    ...commitment(source, quantity, "Unused"),
    x_ChargeKey: key,
  };
}

/** Tax, credits, adjustments: all four costs are the amount. */
function plain(source: FocusSource, zone: string): FocusRow {
  const amount = usdText(source.micros ?? 0n);
  const category = source.charge === "tax" ? "Tax" : source.charge === "credit" ? "Credit" : "Adjustment";
  return {
    ...common(source, zone, ACCOUNT),
    ChargeCategory: category,
    ChargeFrequency: "One-Time",
    ChargeDescription: source.note ?? category,
    ContractedCost: amount,
    EffectiveCost: usdText(source.effectiveMicros ?? source.micros ?? 0n),
    ListCost: amount,
  };
}

function common(source: FocusSource, zone: string, service: Service): Record<string, string | null> {
  const billing = monthRange(source.month, zone);
  const day = dayRange(source.day, zone);
  const { resource, region } = source;
  return {
    BilledCost: usdText(source.micros ?? 0n),
    BillingAccountId: source.account.id,
    BillingAccountName: source.account.name,
    BillingCurrency: "USD",
    BillingPeriodStart: instant(billing.from),
    BillingPeriodEnd: instant(billing.to),
    ChargeClass: isCorrection(source) ? "Correction" : null,
    ChargePeriodStart: instant(day.from),
    ChargePeriodEnd: instant(day.to),
    HostProviderName: PROVIDER,
    InvoiceDetailId: source.invoiceLine,
    InvoiceId: source.invoiceNumber,
    InvoiceIssuerName: PROVIDER,
    ProviderName: PROVIDER,
    PublisherName: PROVIDER,
    RegionId: region,
    RegionName: region,
    ResourceId: resource?.externalId ?? null,
    ResourceName: resource?.name && resource.name !== resource.externalId ? resource.name : null,
    ResourceType: resource && (source.charge === "storage" ? "Filesystem" : "Instance"),
    ServiceCategory: service.category,
    ServiceName: service.name,
    ServiceProviderName: PROVIDER,
    ServiceSubcategory: service.subcategory,
    Tags: tags(source.owner),
    x_ChargeKey: source.key,
    x_CorrectsChargeKey: source.correctsKey,
    x_CostHighUsd: source.highMicros === null ? null : usdText(source.highMicros),
    x_CostLowUsd: source.lowMicros === null ? null : usdText(source.lowMicros),
    x_NeedsReview: source.isFlagged ? "true" : null,
    x_PriceIntervalId: source.priceId === null ? null : String(source.priceId),
    x_SegmentStart: instant(source.startsAt),
    x_SegmentEnd: instant(source.endsAt),
  };
}

type Prices = { quantity: string; list: bigint | null; contracted: bigint | null };

/** List and contracted costs are the exact products of what is printed beside them; a correction is the difference that it is. */
function priced(source: FocusSource, { quantity, list, contracted }: Prices): Record<string, string | null> {
  const cost = (unitPrice: bigint | null) =>
    unitPrice === null || isCorrection(source)
      ? usdText(source.micros ?? 0n)
      : productText(unitPriceText(unitPrice), quantity);
  return {
    PricingQuantity: quantity,
    ListUnitPrice: list === null ? null : unitPriceText(list),
    ContractedUnitPrice: contracted === null ? null : unitPriceText(contracted),
    ListCost: cost(list),
    ContractedCost: cost(contracted),
  };
}

function commitment(
  source: FocusSource,
  quantity: string,
  status: "Used" | "Unused" | null,
): Record<string, string | null> {
  const { commitment: own } = source;
  if (!own) return {};
  const isMeasured = !isCorrection(source);
  return {
    CommitmentDiscountCategory: "Usage",
    CommitmentDiscountId: own.id,
    CommitmentDiscountName: own.name,
    CommitmentDiscountQuantity: isMeasured ? quantity : null,
    CommitmentDiscountStatus: status,
    CommitmentDiscountType: "Reserved Cloud",
    CommitmentDiscountUnit: isMeasured ? "Hours" : null,
  };
}

/** It was learnt after its month was closed, and counts in a later one. */
function isCorrection({ correctsKey, day, month }: FocusSource): boolean {
  return correctsKey !== null || day.slice(0, 7) < month;
}

/** Does not change with prices, contracts or time: which price was in force says x_PriceIntervalId. */
function skuPrice(sku: string, region: string | null, tier: string): string {
  return [sku, region ?? "all-regions", tier].join("/");
}

function details(sku: string, type: FocusType | null): string {
  return json({
    InstanceType: sku,
    CoreCount: type?.vcpus ?? null,
    GpuCount: type?.gpus ?? null,
    MemorySize: type?.memoryGib ?? null,
    x_GpuModel: type?.gpuModel ?? null,
    x_GpuMemoryGiB: type?.gpuMemoryGb ?? null,
  });
}

function tags({ team, project, environment, costCenter }: FocusSource["owner"]): string | null {
  const text = json({ team, project, environment, cost_center: costCenter });
  return text === "{}" ? null : text;
}

/** In order of the keys; what is not known or empty is left out. */
function json(values: Readonly<Record<string, string | number | null>>): string {
  const known = Object.entries(values).filter(([, value]) => value !== null && value !== "");
  return JSON.stringify(Object.fromEntries(known.sort(([a], [b]) => (a < b ? -1 : 1))));
}

/** To the second: the specification has no fractions. */
function instant(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`;
}

function shortHours(minutes: number): string {
  return (minutes / 60).toFixed(3);
}

function words(parts: readonly (string | null | undefined | false)[]): string {
  return parts.filter(Boolean).join(" ");
}
