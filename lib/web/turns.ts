import "server-only";
import { AppError } from "@/lib/errors";

const AT_ONCE = 8;
const MOST_WAITING = 100;
const COME_BACK_MS = 5_000;

let working = 0;
const waiting: (() => void)[] = [];

/** Runs the work on a large body when its turn comes: few at once, so that memory stays flat; past a queue they are sent away. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING)
      throw new AppError(
        "unavailable",
        "Too many senders at once. Send it again in some seconds; nothing was stored.",
        {},
        COME_BACK_MS,
      );
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else working += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working -= 1;
  }
}
