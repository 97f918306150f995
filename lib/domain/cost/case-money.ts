import { z } from "zod";
import { hoursText, productText, unitPriceText, usdText } from "@/lib/domain/focus/amounts";
import { amortised, amortisedParts, usedAndUnused } from "./amortise";
import {
  type Calculators,
  calculator,
  cents,
  count,
  decimal,
  type Expected,
  instant,
  micros,
  zone,
} from "./case-inputs";
import { negotiatedCost, reservationCost } from "./commitment";
import { priceCorrection, reallocation } from "./correction";
import { applyCredit, invoiceTotal } from "./credit";
import type { Decimal } from "./decimal";
import { minutesCost } from "./meter";
import { MICROS_PER_CENT, sum } from "./money";
import { compareAmounts, compareLines, differencePct, impliedRate, straddling } from "./reconcile";
import { costAtThroughput, costOfMinutes } from "./unit-cost";

/** Hours as thousandths of a second. */
function ticks({ numerator, denominator }: Decimal): bigint {
  return (numerator * 3_600_000n) / denominator;
}

const commitments: Calculators = {
  amortise: calculator(
    z.object({
      upfront_micro_usd: micros,
      term_hours: decimal,
      period_hours: z.tuple([decimal, decimal]),
      used_hours: decimal,
      term_month_boundaries_h: z.array(decimal).default([]),
    }),
    ({ upfront_micro_usd: upfront, ...given }) => {
      const term = ticks(given.term_hours);
      const [from, to] = given.period_hours;
      const part = { from: ticks(from), to: ticks(to) };
      const { usedMicros, unusedMicros } = usedAndUnused(upfront, term, { ...part, used: ticks(given.used_hours) });
      const months = amortisedParts(upfront, term, given.term_month_boundaries_h.map(ticks));
      return {
        billed_cost_purchase_row: upfront,
        effective_cost_purchase_row: 0n,
        effective_used_micro_usd: usedMicros,
        effective_unused_micro_usd: unusedMicros,
        effective_period_micro_usd: amortised(upfront, term, part),
        effective_months_micro_usd: months,
        [`effective_all_${months.length}_months_micro_usd`]: sum(months),
      };
    },
  ),
  "commitment.weekly": calculator(
    z.object({ gpus: count, hours: decimal, price_cents_per_gpu_hour: cents }),
    (given) => ({
      total_micro_usd: reservationCost(BigInt(given.gpus), given.hours, given.price_cents_per_gpu_hour),
    }),
  ),
  "commitment.rate": calculator(z.object({ hours: decimal, list_cents: cents, contracted_cents: cents }), (given) => {
    const cost = negotiatedCost(given.hours, given.list_cents, given.contracted_cents);
    return {
      list_cost_micro_usd: cost.listMicros,
      contracted_cost_micro_usd: cost.contractedMicros,
      billed_cost_micro_usd: cost.contractedMicros,
      savings_micro_usd: cost.savingsMicros,
      savings_pct: cost.savingsPct,
    };
  }),
};

const TAX_ROUNDING = "cents, half away from zero, once per invoice";

const credits: Calculators = {
  "invoice.credit-tax": calculator(
    z.object({
      usage_micro_usd: micros,
      credit_micro_usd: micros,
      tax_rate_pct: decimal,
      tax_basis: z.enum(["net_of_credits", "gross_of_credits", "gross", "net"]).default("net_of_credits"),
      tax_rounding: z.literal(TAX_ROUNDING).default(TAX_ROUNDING),
    }),
    (given) => {
      const total = invoiceTotal({
        usageMicros: given.usage_micro_usd,
        creditMicros: given.credit_micro_usd,
        taxRatePct: given.tax_rate_pct,
        taxBasis: given.tax_basis.startsWith("net") ? "net" : "gross",
      });
      return {
        net_micro_usd: total.netMicros,
        tax_micro_usd: total.taxMicros,
        invoice_total_micro_usd: total.totalMicros,
      };
    },
  ),
  "credit.apply": calculator(z.object({ usage_micro_usd: micros, credit_balance_micro_usd: micros }), (given) => {
    const credit = applyCredit(given.usage_micro_usd, given.credit_balance_micro_usd);
    return {
      credit_applied_micro_usd: credit.appliedMicros,
      billed_total_micro_usd: credit.billedMicros,
      credit_remaining_micro_usd: credit.remainingMicros,
    };
  }),
};

const Tagged = z.object({ tag: z.string().nullable(), micro_usd: micros });
const Entries = z.object({ entries: z.array(z.object({ tag: z.string().nullable() })) });

/** Whom a case posts the amount to: nothing given says it. */
function rightPayer(original: string | null, expected: Expected): string | null {
  const entries = Entries.safeParse(expected).data?.entries ?? [];
  return entries.find(({ tag }) => tag !== original)?.tag ?? original;
}

const priced = z
  .object({ cents, minutes: count })
  .transform((one) => ({ minutes: one.minutes, microsPerHour: one.cents }));

const corrections: Calculators = {
  "close.adjust-price": calculator(
    z.object({ closed_month: z.string().regex(/^\d{4}-\d{2}$/), booked: priced, right: priced }),
    (given) => {
      const found = priceCorrection(given.closed_month, given.booked, given.right);
      return {
        booked_micro_usd: found.bookedMicros,
        right_micro_usd: found.rightMicros,
        adjusting_entry_micro_usd: found.entryMicros,
        posted_in: found.postedIn,
      };
    },
  ),
  "close.reallocate": calculator(z.object({ original: Tagged }), ({ original }, expected) => {
    const from = { payer: original.tag, micros: original.micro_usd };
    const entries = reallocation(from, rightPayer(original.tag, expected));
    return {
      entries: entries.map((entry) => ({ tag: entry.payer, micro_usd: entry.micros })),
      net_micro_usd: sum(entries.map((entry) => entry.micros)),
    };
  }),
};

const verdict = (isMatch: boolean) => (isMatch ? "match" : "mismatch");

const CATEGORIES = ["Usage", "Purchase", "Tax", "Credit", "Adjustment"] as const;

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

const reconciliation: Calculators = {
  "reconcile.tolerance": calculator(
    z.object({
      rows: count,
      ledger_micro_usd: micros,
      invoice_micro_usd: micros,
      subunit_micro_usd: micros.default(MICROS_PER_CENT),
    }),
    (given) => {
      const compared = compareAmounts({
        ledgerMicros: given.ledger_micro_usd,
        invoiceMicros: given.invoice_micro_usd,
        rows: given.rows,
        subunitMicros: given.subunit_micro_usd,
      });
      return {
        tolerance_micro_usd: compared.toleranceMicros,
        difference_micro_usd: compared.differenceMicros,
        result: verdict(compared.isMatch),
      };
    },
  ),
  "reconcile.accrual": calculator(
    z.object({
      invoice_period: z.tuple([instant, instant]),
      instances: count,
      price_cents_per_hour: cents,
      accounting_timezone: zone,
    }),
    (given) => {
      const [from, to] = given.invoice_period;
      const found = straddling({
        from,
        to,
        instances: given.instances,
        microsPerHour: given.price_cents_per_hour,
        zone: given.accounting_timezone,
      });
      const parts = found.months.flatMap(({ month, micros: part, accruedMicros }) => {
        const name = MONTHS[Number(month.slice(5)) - 1] ?? month;
        return [
          [`${name}_part_micro_usd`, part],
          [`${name}_accrual_unbilled_at_close_micro_usd`, accruedMicros],
        ];
      });
      return { invoice_micro_usd: found.invoiceMicros, ...Object.fromEntries(parts) };
    },
  ),
  "reconcile.implied-rate": calculator(
    z.object({ ledger_micro_usd: micros, invoice_micro_usd: micros, instance_minutes: count }),
    ({ ledger_micro_usd: ledger, invoice_micro_usd: invoice, instance_minutes: minutes }) => {
      const rate = impliedRate(invoice, minutes);
      return {
        difference_micro_usd: invoice - ledger,
        difference_pct_of_ledger: differencePct(ledger, invoice),
        implied_cents_per_hour: rate && rate.microsPerHour / MICROS_PER_CENT,
      };
    },
  ),
  "reconcile.tax-line": calculator(
    z.object({
      ledger_usage_micro_usd: micros,
      invoice_lines: z.array(z.object({ category: z.enum(CATEGORIES), micro_usd: micros })),
      rows: count.optional(),
    }),
    (given) => {
      const lines = given.invoice_lines.map((line) => ({ category: line.category, micros: line.micro_usd }));
      const found = compareLines(given.ledger_usage_micro_usd, lines, given.rows);
      return {
        usage_difference_micro_usd: found.differenceMicros,
        result: verdict(found.isMatch),
        tax_micro_usd: found.taxMicros,
        credit_micro_usd: found.creditMicros,
        payable_micro_usd: found.payableMicros,
      };
    },
  ),
};

/** A price per hour in either unit. */
const hourly = z
  .object({ price_micro_usd_per_hour: micros.optional(), price_cents_per_hour: cents.optional() })
  .transform(({ price_micro_usd_per_hour: exact, price_cents_per_hour: whole }, ctx) => {
    const price = exact ?? whole;
    if (price !== undefined) return price;
    ctx.addIssue({ code: "custom", message: "has no price per hour" });
    return z.NEVER;
  });

const units: Calculators = {
  "unit-cost": calculator(
    z.object({
      a: z
        .intersection(
          hourly.transform((price) => ({ price })),
          z.object({ requests_per_second: decimal }),
        )
        .optional(),
      b: z
        .intersection(
          hourly.transform((price) => ({ price })),
          z.object({ epoch_minutes: decimal, epochs: decimal }),
        )
        .optional(),
    }),
    ({ a, b }) => ({
      ...(a && { a_micro_usd_per_million_requests: costAtThroughput(a.price, a.requests_per_second, 1_000_000n) }),
      ...(b && {
        b_micro_usd_per_epoch: costOfMinutes(b.epoch_minutes, b.price),
        b_total_micro_usd: costOfMinutes(
          {
            numerator: b.epoch_minutes.numerator * b.epochs.numerator,
            denominator: b.epoch_minutes.denominator * b.epochs.denominator,
          },
          b.price,
        ),
      }),
    }),
  ),
  "focus.row": calculator(z.object({ minutes: count, price_cents_per_hour: cents }), (given) => {
    const unitPrice = unitPriceText(given.price_cents_per_hour);
    const quantity = hoursText(BigInt(given.minutes));
    const billed = usdText(minutesCost(given.minutes, given.price_cents_per_hour));
    return {
      ListUnitPrice: unitPrice,
      ContractedUnitPrice: unitPrice,
      PricingQuantity: quantity,
      PricingUnit: "Hours",
      ListCost: productText(unitPrice, quantity),
      ContractedCost: productText(unitPrice, quantity),
      BilledCost: billed,
      EffectiveCost: billed,
      ConsumedQuantity: quantity,
      ConsumedUnit: "Hours",
    };
  }),
};

/** Worked cases of commitments, credits, corrections, invoices, unit costs and what is exported. */
export const moneyKinds: Calculators = { ...commitments, ...credits, ...corrections, ...reconciliation, ...units };
