import { describeReport, isUnderstood } from "@/lib/domain/telemetry/describe";
import { parseOutput } from "@/lib/domain/telemetry/output";
import { readBounded, writeOut } from "./file-input";
import { readArguments, UsageError } from "./usage";

const MOST_BYTES = 16_777_216;

/** Prints what the product makes of a text, by the code that takes it in: as JSON, with nothing stored. */
export async function parse(given: string[]): Promise<number> {
  const [file, ...more] = readArguments(given).words;
  if (file === undefined || more.length > 0) throw new UsageError("parse wants one file, or - for the standard input.");
  const bytes = await readBounded(file, MOST_BYTES);
  if (bytes === null) {
    process.stderr.write(`${file} is larger than ${MOST_BYTES / 1_048_576} MiB. Send it in parts.\n`);
    return 1;
  }
  const report = parseOutput(decode(bytes), Date.now());
  const described = describeReport(report);
  await writeOut(`${JSON.stringify(described, null, 2)}\n`);
  if (isUnderstood(report)) return 0;
  const [why] = described.problems;
  process.stderr.write(
    `Nothing in ${file === "-" ? "the input" : file} was understood: ${(why?.message ?? "it says nothing of a GPU").replace(/\.$/, "")}.\n`,
  );
  return 1;
}

/** PowerShell writes what it redirects as UTF-16. */
function decode(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}
