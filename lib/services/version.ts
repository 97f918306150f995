import { readFileSync } from "node:fs";
import path from "node:path";

let read: string | undefined;

/** The running release, as its package says. */
export function version(): string {
  read ??= String(
    JSON.parse(readFileSync(path.join(/* turbopackIgnore: true */ process.cwd(), "package.json"), "utf8")).version,
  );
  return read;
}
