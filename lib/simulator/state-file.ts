import { readFile, rename, writeFile } from "node:fs/promises";
import { isRecord } from "./request-body";
import type { CloudState } from "./types";

const VERSION = 1;

/** The saved state; null when there is none. Throws when a file is there and is not ours. */
export async function loadState(file: string): Promise<CloudState | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (isRecord(error) && error.code === "ENOENT") return null;
    throw error;
  }
  const saved: unknown = JSON.parse(text);
  if (!isSaved(saved))
    throw new Error(`${file} is not a state of this version of the simulator; remove it to begin anew`);
  return saved.state;
}

type Saved = { version: typeof VERSION; state: CloudState };

/** The named boundary: what this program wrote under this version number has this program's types. */
function isSaved(value: unknown): value is Saved {
  return isRecord(value) && value.version === VERSION && isRecord(value.state) && Array.isArray(value.state.machines);
}

/** Writes the state so that a reader sees the old file or the new one, never half of one. Holds tokens: mode 0600. */
export async function saveState(file: string, state: CloudState): Promise<void> {
  const part = `${file}.part`;
  const saved: Saved = { version: VERSION, state };
  await writeFile(part, JSON.stringify(saved), { mode: 0o600 });
  await rename(part, file);
}

/** Saves soon after a change and never twice at once. */
export class StateKeeper {
  private timer: NodeJS.Timeout | null = null;
  private saving: Promise<void> = Promise.resolve();

  constructor(
    private readonly file: string,
    private readonly state: CloudState,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Within a fifth of a second, or at `withinMs`. */
  soon(withinMs = 200): void {
    this.timer ??= setTimeout(() => {
      this.timer = null;
      void this.now();
    }, withinMs).unref();
  }

  now(): Promise<void> {
    this.saving = this.saving.then(() => saveState(this.file, this.state)).catch(this.onError);
    return this.saving;
  }

  async close(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    await this.now();
  }
}
