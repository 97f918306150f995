import type { FocusSource } from "@/lib/domain/focus/source";

const DAY = Date.parse("2026-11-10T00:00:00Z");
const MINUTE = 60_000;

/** A row of the ledger: one GH200 for 37 minutes on demand, with what is said otherwise. */
export function focusSource(part: Partial<FocusSource> = {}): FocusSource {
  return {
    key: "00000000-0000-4000-8000-000000000001",
    charge: "usage",
    day: "2026-11-10",
    month: "2026-11",
    startsAt: DAY,
    endsAt: DAY + 37 * MINUTE,
    minutes: 37,
    byteHours: null,
    micros: 1_412_167n,
    lowMicros: 1_374_000n,
    highMicros: 1_450_333n,
    effectiveMicros: null,
    isFlagged: false,
    correctsKey: null,
    note: null,
    priceId: 7,
    priceMicros: 2_290_000n,
    listPriceMicros: 2_290_000n,
    resource: { externalId: "0920582c7ff041399e34823a0be62549", name: "train-1" },
    region: "us-east-3",
    type: { name: "gpu_1x_gh200", gpuModel: "GH200", gpus: 1, gpuMemoryGb: 96, vcpus: 64, memoryGib: 432 },
    owner: { team: "ml", project: "rag", environment: "prod", costCenter: "" },
    invoiceNumber: null,
    invoiceLine: null,
    commitment: null,
    account: { id: "acct-1", name: "Lambda Cloud" },
    ...part,
  };
}

const reserved = {
  id: "00000000-0000-4000-8000-00000000c001",
  name: "Two GH200 for a year",
  sku: "gpu_1x_gh200",
  region: "us-east-3",
  hours: "17520",
  isRecurring: false,
};

const loose = {
  resource: null,
  region: null,
  type: null,
  priceId: null,
  priceMicros: null,
  listPriceMicros: null,
  minutes: 0,
  lowMicros: null,
  highMicros: null,
};

const key = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

/** One of every kind of charge that a month may hold. Over its days the commitment is used up exactly. */
export const FOCUS_SOURCES: readonly FocusSource[] = [
  focusSource(),
  focusSource({
    key: key(2),
    startsAt: DAY + 37 * MINUTE,
    endsAt: DAY + 97 * MINUTE,
    minutes: 60,
    micros: 1_490_000n,
    lowMicros: 1_490_000n,
    highMicros: 1_490_000n,
    priceId: 8,
    priceMicros: 1_490_000n,
    owner: { team: "", project: "", environment: "", costCenter: "" },
    invoiceNumber: "INV-7",
    invoiceLine: "INV-7/3",
  }),
  focusSource({
    key: key(3),
    resource: { externalId: "fs-1", name: "fs-1" },
    charge: "storage",
    type: null,
    priceId: 3,
    priceMicros: 200_000n,
    listPriceMicros: 200_000n,
    minutes: 0,
    byteHours: 25_769_803_776_000n,
    micros: 6_666_667n,
    lowMicros: 6_666_667n,
    highMicros: 6_666_667n,
    endsAt: DAY + 1440 * MINUTE,
  }),
  focusSource({
    key: key(4),
    resource: { externalId: "unpriced-1", name: "no price" },
    priceId: null,
    priceMicros: null,
    listPriceMicros: null,
    micros: null,
    lowMicros: null,
    highMicros: null,
  }),
  focusSource({
    key: key(5),
    day: "2026-10-30",
    startsAt: DAY - 11 * 86_400_000,
    endsAt: DAY - 11 * 86_400_000 + 5 * MINUTE,
    minutes: -5,
    micros: -190_833n,
    lowMicros: -190_833n,
    highMicros: -190_833n,
    correctsKey: key(99),
  }),
  focusSource({ key: key(6), ...loose, charge: "tax", micros: 241_260_000n, note: "Sales tax" }),
  focusSource({ key: key(7), ...loose, charge: "credit", micros: -500_000_000n, note: "Service credit" }),
  focusSource({ key: key(8), ...loose, charge: "adjustment", micros: 123n, note: null }),
  focusSource({ key: key(9), ...loose, charge: "rounding", micros: -1n, note: "Rounding of invoice INV-7" }),
  focusSource({
    key: key(10),
    ...loose,
    charge: "commitment",
    micros: 2_000_000n,
    effectiveMicros: 0n,
    commitment: reserved,
    note: "Paid upfront",
  }),
  focusSource({
    key: key(11),
    resource: { externalId: "reserved-1", name: "serve-1" },
    minutes: 60,
    micros: 0n,
    lowMicros: 0n,
    highMicros: 0n,
    effectiveMicros: 1_250_000n,
    commitment: reserved,
  }),
  focusSource({
    key: key(12),
    ...loose,
    charge: "commitment",
    minutes: 36,
    micros: 0n,
    effectiveMicros: 750_000n,
    listPriceMicros: 2_290_000n,
    commitment: reserved,
  }),
];
