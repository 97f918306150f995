import { formatCount } from "@/lib/domain/format";
import type { InstanceRow } from "./view";

/** The last line of a table of machines. Only what bills counts towards the hour. */
export function totalsLine(rows: readonly InstanceRow[]) {
  const billed = rows.filter((row) => row.isBilled);
  const sum = (values: (string | null)[]) => values.reduce((total, value) => total + BigInt(value ?? "0"), 0n);
  return {
    words: `${formatCount(rows.length, "instance")}, ${billed.length} billing`,
    gpus: billed.reduce((total, row) => total + row.gpus, 0),
    microsPerHour: sum(billed.map((row) => row.priceMicros)),
    todayMicros: sum(rows.map((row) => row.todayMicros)),
  };
}
