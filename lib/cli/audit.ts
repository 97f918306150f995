import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { checkTrail, type TrailCheck } from "@/lib/domain/activity/trail";
import { typedPath } from "./typed-path";
import { readArguments, UsageError } from "./usage";

/** Says whether an exported trail, or without a file the one in the database, is whole. */
export async function audit(given: string[]): Promise<number> {
  const { words, options } = readArguments(given);
  const [verb, file, ...more] = words;
  if (verb !== "verify" || more.length > 0) throw new UsageError("audit wants: verify, and perhaps a file.");
  const { head: knownHead, ...unknown } = options;
  const [other] = Object.keys(unknown);
  if (other) throw new UsageError(`There is no option --${other}.`);
  if (knownHead !== undefined && !/^[0-9a-f]{64}$/.test(knownHead))
    throw new UsageError("--head wants the 64 hexadecimal digits of a hash that was kept elsewhere.");
  return file === undefined
    ? verifyDatabase(knownHead)
    : tell(await checkTrail(linesOf(file), sha256, knownHead), file);
}

async function verifyDatabase(knownHead: string | undefined): Promise<number> {
  const [{ withDatabase }, { exportTrail }, { systemCtx }] = await Promise.all([
    import("./connect"),
    import("@/lib/services/activity/export"),
    import("@/lib/domain/access"),
  ]);
  return withDatabase(async () => {
    const { lines } = await exportTrail(systemCtx("audit verify", new Date()));
    return tell(await checkTrail(linesIn(lines), sha256, knownHead), "the database");
  });
}

async function* linesIn(parts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const part of parts) yield* part.trimEnd().split("\n");
}

function tell({ entries, head, problems }: TrailCheck, where: string): number {
  for (const { line, words } of problems) console.log(`${where === "the database" ? "" : `line ${line}: `}${words}`);
  if (problems.length > 0) {
    console.log(`${where}: not intact, ${entries} entries read`);
    return 1;
  }
  console.log(
    `${where}: intact, ${entries} entries, each with the hash of the one before it${head ? `; head ${head}` : ""}`,
  );
  return 0;
}

/** SHA-256 in hex over the bytes of a hash, if one is given, and a text. */
export function sha256(text: string, after?: string): string {
  const hash = createHash("sha256");
  if (after !== undefined) hash.update(Buffer.from(after, "hex"));
  return hash.update(text, "utf8").digest("hex");
}

async function* linesOf(file: string): AsyncGenerator<string> {
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(typedPath(file));
    if ((await handle.stat()).isDirectory()) {
      await handle.close();
      throw new UsageError(`${file} is a folder.`);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : "unreadable"}.`);
  }
  try {
    yield* handle.readLines({ encoding: "utf8" });
  } finally {
    await handle.close();
  }
}
