import { parse } from "csv-parse/sync";
import { z } from "zod";
import { parseDecimal } from "@/lib/domain/cost/decimal";
import { type Micros, roundHalfAway, splitByLargestRemainder, sum } from "@/lib/domain/cost/money";
import { usd } from "@/lib/domain/settings";
import { cleanName } from "@/lib/domain/text";
import { providerKey } from "./quotes";
import { ProviderTargets } from "./targets";

const MOST_USD = 1_000_000_000n * 1_000_000n;

const TARGET_LINE = /^\s*(.+?)\s*[:=\s]\s*(\d{1,3})\s*%?\s*$/;

/** "AWS 60", "gcp: 30 %", one a line. */
export const TargetsText = z.object({
  text: z
    .string()
    .max(4_000)
    .transform((text, issues): ProviderTargets => {
      const targets: Record<string, number> = {};
      for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
        const [, name, share] = TARGET_LINE.exec(line) ?? [];
        const key = providerKey(cleanName(name ?? "", 60));
        if (key === "" || share === undefined || key in targets) {
          issues.addIssue({
            code: "custom",
            message: `${line.trim()} is not a provider with its share, such as AWS 60`,
          });
          return z.NEVER;
        }
        targets[key] = Number(share);
      }
      const read = ProviderTargets.safeParse(targets);
      if (read.success) return read.data;
      issues.addIssue({ code: "custom", message: read.error.issues[0]?.message ?? "cannot be read" });
      return z.NEVER;
    }),
});
export type TargetsText = z.output<typeof TargetsText>;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const month = z.string().regex(MONTH, "Give a month such as 2026-10");

export const NewSpend = z.object({
  provider: z
    .string()
    .transform((text) => providerKey(cleanName(text, 60)))
    .refine((key) => key !== "", "Give the provider")
    .refine((key) => key !== "lambda", "Lambda’s spend is in the ledger already"),
  month,
  amount: usd(MOST_USD).transform((micros, issues) => {
    if (micros !== null) return micros;
    issues.addIssue({ code: "custom", message: "Give an amount; 0 where nothing was spent" });
    return z.NEVER;
  }),
  note: z
    .string()
    .default("")
    .transform((text) => cleanName(text, 300)),
});
export type NewSpend = z.output<typeof NewSpend>;

export const SpendKey = z.object({ provider: z.string().min(1).max(60), month });
export type SpendKey = z.output<typeof SpendKey>;

export const SpendFile = z.object({
  text: z.string().min(1, "Choose a file, or paste its lines").max(200_000, "The file is larger than 200 kB: split it"),
});
export type SpendFile = z.output<typeof SpendFile>;

export type SpendLine = { line: number; provider: string; month: string; micros: Micros; note: string };

/** Reads bills: columns provider, month and amount_usd, and note where there is one. What is read is only good without an error. */
export function readSpendFile(
  text: string,
  thisMonth: string,
): { lines: SpendLine[]; errors: { line: number; message: string }[] } {
  let records: { record: Record<string, string>; info: { lines: number } }[];
  try {
    records = parse(text.replace(/^\ufeff/, ""), {
      columns: (head: string[]) => head.map((name) => name.trim().toLowerCase()),
      delimiter: [",", ";", "\t"],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    const message = error instanceof Error ? (error.message.split("\n")[0] ?? "") : "";
    return { lines: [], errors: [{ line: 1, message: message || "is not readable" }] };
  }
  const names = Object.keys(records[0]?.record ?? {});
  const missing = ["provider", "month", "amount_usd"].filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const message = `The head lacks ${missing.join(", ")}. Columns are provider, month, amount_usd, note.`;
    return { lines: [], errors: [{ line: 1, message }] };
  }
  const lines: SpendLine[] = [];
  const errors: { line: number; message: string }[] = [];
  const seen = new Map<string, number>();
  for (const { record, info } of records) {
    const wrong = (message: string) => errors.push({ line: info.lines, message });
    const read = NewSpend.safeParse({
      provider: record.provider ?? "",
      month: record.month ?? "",
      amount: (record.amount_usd ?? "").trim(),
      note: record.note ?? "",
    });
    if (!read.success) {
      const [issue] = read.error.issues;
      wrong(`${String(issue?.path[0] ?? "It")}: ${issue?.message ?? "cannot be read"}.`);
      continue;
    }
    const { provider, month: of, amount, note } = read.data;
    const key = `${provider} ${of}`;
    if (of > thisMonth) wrong(`${of} is yet to come.`);
    else if (seen.has(key)) wrong(`Line ${seen.get(key)} is of the same provider and month.`);
    else {
      seen.set(key, info.lines);
      lines.push({ line: info.lines, provider, month: of, micros: amount, note });
    }
  }
  return { lines, errors };
}

export type MixPart = {
  provider: string;
  /** Null: nobody has said what was spent there. */
  micros: Micros | null;
  targetPct: number | null;
  /** Of what is known, in tenths of a per cent; null where the provider's spend is not known. */
  sharePermille: number | null;
  /** Percentage points over (+) or under (-) the target, in tenths; null where one of the two is missing. */
  offPermille: number | null;
  /** What would have to move to (+) or from (-) it; null as above. */
  moveMicros: Micros | null;
};

export type Mix = {
  parts: MixPart[];
  totalMicros: Micros;
  /** Some provider with a target has no data, so no share is final. */
  isPartial: boolean;
};

/**
 * Actual spend of a month beside its targets. Shares are of what is known; while a provider with a target has no data nobody
 * is told to move anything.
 */
export function mixOf(spend: Readonly<Record<string, Micros>>, targets: ProviderTargets): Mix {
  const wanted = Object.entries(targets).filter(([, share]) => share > 0);
  const providers = [...new Set([...Object.keys(spend), ...wanted.map(([provider]) => provider)])];
  const totalMicros = sum(Object.values(spend));
  const isPartial = wanted.some(([provider]) => !(provider in spend));
  const hasTargets = wanted.length > 0;
  const ideal =
    hasTargets && !isPartial
      ? splitByLargestRemainder(
          totalMicros,
          Object.fromEntries(wanted.map(([provider, share]) => [provider, BigInt(share)])),
        )
      : null;
  const parts = providers.map((provider): MixPart => {
    const micros = spend[provider] ?? null;
    const targetPct = hasTargets ? (targets[provider] ?? 0) : null;
    const sharePermille =
      micros === null || totalMicros === 0n ? null : Number(roundHalfAway(micros * 1_000n, totalMicros));
    return {
      provider,
      micros,
      targetPct,
      sharePermille,
      offPermille: sharePermille === null || targetPct === null || isPartial ? null : sharePermille - targetPct * 10,
      moveMicros: micros === null || ideal === null ? null : (ideal[provider] ?? 0n) - micros,
    };
  });
  const size = ({ micros }: MixPart) => micros ?? -1n;
  return {
    parts: parts.sort((a, b) => (b.targetPct ?? 0) - (a.targetPct ?? 0) || (size(a) > size(b) ? -1 : 1)),
    totalMicros,
    isPartial,
  };
}

/** The share of a whole in per cent as it was typed, exactly. */
export function percentText(permille: number): string {
  const { numerator } = parseDecimal(String(Math.abs(permille)));
  return `${numerator / 10n}.${numerator % 10n}`;
}
