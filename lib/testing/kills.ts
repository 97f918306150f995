import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import pg from "pg";

/* Kills a piece of work at any place where it waits for the database or the network, as if its process had died there: nothing it does afterwards has any effect, and what it had not committed is gone. */

class Killed extends Error {}

type Life = { left: number; isDead: boolean };
const lives = new AsyncLocalStorage<Life>();

function dies(life: Life): boolean {
  life.left -= 1;
  if (life.left <= 0) life.isDead = true;
  return life.isDead;
}

/** Waits for something; the one who waits may die before it is done, or right after it without hearing of it. */
export async function guarded<T>(act: () => Promise<T>, instead?: () => Promise<unknown>): Promise<T> {
  const life = lives.getStore();
  if (!life) return act();
  if (dies(life)) {
    await instead?.();
    throw new Killed("killed before");
  }
  const result = await act();
  if (dies(life)) throw new Killed("killed after");
  return result;
}

/** Lets a piece of work live for so many waits. Whether it was killed; what it throws while it lives is thrown. */
export async function mortal(waits: number, work: () => Promise<unknown>): Promise<boolean> {
  const life: Life = { left: waits * 2, isDead: false };
  try {
    await lives.run(life, work);
  } catch (error) {
    // Whoever waited in the same batch for another's answer dies with it.
    if (!life.isDead && !/killed (before|after)$/.test(String(error))) throw error;
    return true;
  }
  return life.isDead;
}

type Query = (this: pg.Client, ...args: unknown[]) => unknown;
type Done = (error: Error | null, result?: unknown) => void;

/** From now on, questions to Postgres are places to die. */
export function makeDatabaseDeadly(): void {
  const original = pg.Client.prototype.query as Query;
  const deadly: Query = function (...args) {
    const [first] = args;
    const text =
      typeof first === "string"
        ? first
        : typeof first === "object" && first && "text" in first
          ? String(first.text)
          : "";
    // What streams is read before anything is decided; it is no place to die.
    const isStream = typeof first === "object" && first !== null && "submit" in first;
    // A dead process's transaction is rolled back by the server.
    if (!lives.getStore() || text === "" || isStream || /^\s*rollback/i.test(text)) return original.apply(this, args);
    const done = args.at(-1);
    const isCalledBack = typeof done === "function";
    const asked = isCalledBack ? args.slice(0, -1) : args;
    const undo = /^\s*commit/i.test(text)
      ? async () => {
          await original.call(this, "ROLLBACK");
        }
      : undefined;
    const answer = guarded(async () => original.apply(this, asked), undo);
    if (!isCalledBack) return answer;
    answer.then(
      (result) => (done as Done)(null, result),
      (error: Error) => (done as Done)(error),
    );
    return undefined;
  };
  // Who waits for a free connection gets it from whoever gives one back, and must not live that one's life.
  const connect = pg.Pool.prototype.connect as (this: pg.Pool, ...args: unknown[]) => unknown;
  pg.Pool.prototype.connect = function (this: pg.Pool, ...args: unknown[]) {
    const [done] = args;
    return connect.apply(this, typeof done === "function" ? [AsyncResource.bind(done as () => void)] : args);
  } as typeof pg.Pool.prototype.connect;
  pg.Client.prototype.query = deadly as typeof pg.Client.prototype.query;
}
