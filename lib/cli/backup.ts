import { backUp, restore } from "@/lib/services/backup/backup";
import { withDatabase } from "./connect";
import { typedPath } from "./typed-path";
import { readArguments, UsageError } from "./usage";

export async function backup(given: string[]): Promise<number> {
  const { words, options } = readArguments(given, ["samples"]);
  const [file] = words;
  if (!file) throw new UsageError("backup wants a file.");
  const { rows, tables } = await withDatabase((ctx) => backUp(ctx, typedPath(file), options.samples === "yes"));
  console.log(
    `${rows} rows of ${tables} tables are in ${file}. The keys AUTH_SECRET and SECRETS_KEY are not: keep them apart.`,
  );
  return 0;
}

export async function restoreFrom(given: string[]): Promise<number> {
  const [file] = readArguments(given).words;
  if (!file) throw new UsageError("restore wants a file.");
  const { rows, tables, channelsToEnterAgain } = await withDatabase((ctx) => restore(ctx, typedPath(file)));
  console.log(`${rows} rows of ${tables} tables are restored.`);
  if (channelsToEnterAgain.length > 0) {
    console.log(
      `These channels were encrypted with another SECRETS_KEY; enter their addresses again in Settings: ${channelsToEnterAgain.join(", ")}.`,
    );
  }
  return 0;
}
