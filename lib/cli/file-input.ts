import { open } from "node:fs/promises";
import { typedPath } from "./typed-path";
import { UsageError } from "./usage";

/** A file that was named, or the standard input (-); null when there is more than may be read. */
export async function readBounded(file: string, mostBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of await source(file)) {
    parts.push(part);
    length += part.length;
    if (length > mostBytes) return null;
  }
  return Buffer.concat(parts);
}

async function source(file: string): Promise<AsyncIterable<Buffer>> {
  if (file === "-") return process.stdin;
  try {
    const handle = await open(typedPath(file));
    if ((await handle.stat()).isDirectory()) {
      await handle.close();
      throw new UsageError(`${file} is a folder.`);
    }
    return handle.createReadStream({ encoding: undefined }) as AsyncIterable<Buffer>;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : "unreadable"}.`);
  }
}

/** The command ends with the process, so a pipe must have taken everything before. */
export async function writeOut(text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    process.stdout.once("error", () => resolve());
    process.stdout.write(text, () => resolve());
  });
}
