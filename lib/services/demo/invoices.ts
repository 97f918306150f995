import { listBilledResources, listLedgerFacts } from "@/lib/db/cost/invoice-facts";
import type { Ctx } from "@/lib/domain/access";
import { decimalText } from "@/lib/domain/cost/decimal";
import { centsOf, MICROS_PER_CENT, sum } from "@/lib/domain/cost/money";
import { dayOf } from "@/lib/domain/cost/zone";
import { csvLine } from "@/lib/domain/csv";
import { groupBy } from "@/lib/domain/group";
import { addDays } from "@/lib/domain/invoice/date";
import type { BilledResource, LedgerFact } from "@/lib/domain/invoice/types";
import { invoicedConnection } from "@/lib/services/cost/invoice-lines";
import { addInvoice, decideVariances, readInvoice } from "@/lib/services/cost/invoices";

const HEADS = ["Description", "Resource ID", "Region", "Start", "End", "Quantity", "Unit", "Rate", "Amount"];
const NO_INVOICE = "00000000-0000-0000-0000-000000000000";
const FIRST_NUMBER = 20_418;
/** Sales tax of the last one; what the provider gave back in it. */
const TAX = { numerator: 8_875n, denominator: 100_000n };
const CREDIT = -25_000_000n;

type Line = { text: string; id: string; region: string; quantity: string; unit: string; rate: string; micros: bigint };

/**
 * The weekly invoices of the last full month as the provider would have sent them, made of the ledger itself. The last one is not
 * quite right: a machine at a dearer rate, another for an hour too long, tax and a credit that nobody has booked.
 */
export async function enterInvoices(ctx: Ctx, knownFrom: number): Promise<void> {
  const first = addDays(dayOf(knownFrom, "UTC"), 1);
  const today = dayOf(ctx.now.getTime(), "UTC");
  const monthEnd = addDays(`${today.slice(0, 7)}-01`, -1);
  // Weeks begin on Mondays.
  const weekday = new Date(`${first}T00:00:00Z`).getUTCDay();
  const weeks: string[] = [];
  for (let day = addDays(first, (8 - weekday) % 7); day <= monthEnd; day = addDays(day, 7))
    if (addDays(day, 6) < today) weeks.push(day);
  for (const [i, from] of weeks.entries()) await enterWeek(ctx, from, FIRST_NUMBER + 117 * i, i === weeks.length - 1);
}

async function enterWeek(ctx: Ctx, fromDay: string, number: number, isWrong: boolean): Promise<void> {
  const toDay = addDays(fromDay, 6);
  const scope = { id: NO_INVOICE, connectionId: await invoicedConnection(), fromDay, toDay };
  const [facts, resources] = await Promise.all([listLedgerFacts(scope), listBilledResources(scope)]);
  const lines = linesOf(facts, resources);
  if (lines.length === 0) return;
  const billed = isWrong ? withMistakes(lines) : lines;
  const csv = [
    csvLine(HEADS),
    ...billed.map((line) =>
      csvLine([
        line.text,
        line.id,
        line.region,
        fromDay,
        toDay,
        line.quantity,
        line.unit,
        line.rate,
        { number: dollars(line.micros) },
      ]),
    ),
  ].join("");
  const { id } = await addInvoice(ctx, {
    number: `INV-${number}`,
    issuedOn: addDays(toDay, 1),
    fromDay,
    toDay,
    total: sum(billed.map(({ micros }) => micros)),
    csv,
    fileName: `INV-${number}.csv`,
  });
  if (isWrong) return;
  const { variances } = await readInvoice(ctx, { invoiceId: id });
  const keys = variances.filter((one) => one.class === "rounding").map(({ key }) => key);
  if (keys.length > 0) await decideVariances(ctx, { invoiceId: id, keys, state: "accepted", note: "" });
}

/** A line for each machine and file system, in cents; what the ledger has besides as it is. */
function linesOf(facts: readonly LedgerFact[], resources: readonly BilledResource[]): Line[] {
  const known = new Map(resources.map((one) => [one.id, one]));
  const metered = groupBy(
    facts.filter(({ resourceId, micros }) => resourceId !== null && micros !== null),
    ({ resourceId }) => resourceId,
  );
  const lines = [...metered].flatMap(([id, own]): Line[] => {
    const resource = known.get(id ?? "");
    const micros = sum(own.map((one) => one.micros ?? 0n));
    if (!resource || micros === 0n) return [];
    const rates = new Set(own.map(({ priceMicros }) => priceMicros));
    const [rate] = rates;
    const isStorage = resource.kind === "filesystem";
    const gibHours = sum(own.map(({ byteHours }) => byteHours ?? 0n));
    return [
      {
        text: isStorage ? `Persistent storage, ${resource.names.at(-1) ?? ""}` : `${resource.typeName}, on demand`,
        id: resource.externalId,
        region: resource.region ?? "",
        quantity: isStorage
          ? decimalText(gibHours, 2n ** 30n, 3)
          : String(own.reduce((all, { minutes }) => all + minutes, 0)),
        unit: isStorage ? "GiB-hours" : "minutes",
        rate: rates.size === 1 && rate ? dollars(rate) : "",
        micros: centsOf(micros) * MICROS_PER_CENT,
      },
    ];
  });
  const loose = [
    ...groupBy(
      facts.filter(({ resourceId }) => resourceId === null),
      ({ charge }) => charge,
    ),
  ];
  return [
    ...lines.sort((a, b) => (a.micros > b.micros ? -1 : 1)),
    ...loose.map(([charge, own]) => ({
      ...NOTHING_BUT_WORDS,
      text: charge === "credit" ? "Promotional credit" : charge === "commitment" ? "Reserved capacity" : charge,
      micros: sum(own.map(({ micros }) => micros ?? 0n)),
    })),
  ];
}

const NOTHING_BUT_WORDS = { id: "", region: "", quantity: "", unit: "", rate: "" };

function withMistakes(lines: readonly Line[]): Line[] {
  const machines = lines.filter(({ unit, rate }) => unit === "minutes" && rate !== "");
  const [dearer, longer] = [machines.at(0), machines.at(1)];
  const changed = lines.map((line): Line => {
    const rate = BigInt(Math.round(Number(line.rate) * 100)) * MICROS_PER_CENT;
    const minutes = BigInt(line.unit === "minutes" ? line.quantity : 0);
    if (line === dearer) {
      const wrong = rate + 10n * MICROS_PER_CENT;
      return { ...line, rate: dollars(wrong), micros: centsOf((wrong * minutes) / 60n) * MICROS_PER_CENT };
    }
    if (line !== longer) return line;
    const wrong = minutes + 60n;
    return { ...line, quantity: wrong.toString(), micros: centsOf((rate * wrong) / 60n) * MICROS_PER_CENT };
  });
  const usage = sum(changed.filter(({ unit }) => unit !== "").map(({ micros }) => micros));
  const tax = centsOf((usage * TAX.numerator) / TAX.denominator) * MICROS_PER_CENT;
  return [
    ...changed,
    { ...NOTHING_BUT_WORDS, text: "Service credit, incident of the week", micros: CREDIT },
    { ...NOTHING_BUT_WORDS, text: "Sales tax 8.875 %", micros: tax },
  ];
}

function dollars(micros: bigint): string {
  return decimalText(micros, 1_000_000n, micros % MICROS_PER_CENT === 0n ? 2 : 6);
}
