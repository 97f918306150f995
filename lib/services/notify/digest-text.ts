import type { Digest } from "@/lib/domain/alerts/channels";
import { formatUsd } from "@/lib/domain/format";
import { cleanName } from "@/lib/domain/text";

/** A cost digest as it is kept: money as text, days as the accounting zone names them. */
export type DigestBody = {
  digest: Digest;
  fromDay: string;
  toDay: string;
  zone: string;
  micros: string;
  unknownRows: number;
  monthToDateMicros: string;
  forecastMicros: string | null;
  idleMicros: string;
  parts: { label: string; micros: string }[];
};

const WORDS: Record<Digest, string> = { daily: "Cost of", weekly: "Cost of the week", month_end: "Cost of the month" };

export function isDigest(body: Record<string, unknown>): body is DigestBody & Record<string, unknown> {
  return typeof body.digest === "string" && typeof body.micros === "string" && Array.isArray(body.parts);
}

export function digestText(body: DigestBody, publicUrl: string): { subject: string; lines: string[] } {
  const when = body.fromDay === body.toDay ? body.fromDay : `${body.fromDay} to ${body.toDay}`;
  const unknown = body.unknownRows > 0 ? `, and ${body.unknownRows} at a price that is not known` : "";
  const lines = [
    ...body.parts.map(({ label, micros }) => `${cleanName(label, 80)}: ${formatUsd(micros)}`),
    `Idle: ${formatUsd(body.idleMicros)}. Month to date: ${formatUsd(body.monthToDateMicros)}${
      body.forecastMicros === null ? "" : `, expected ${formatUsd(body.forecastMicros)} at its end`
    }.`,
    `Days in ${body.zone}. ${publicUrl}/cost`,
  ];
  return { subject: `${WORDS[body.digest]} ${when}: ${formatUsd(body.micros)}${unknown}`, lines };
}
