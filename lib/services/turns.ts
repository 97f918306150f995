import { AppError } from "@/lib/errors";

/** Each holds a database connection for as long as its reader takes. */
const MOST_AT_ONCE = 3;
let running = 0;

/** Begins a long reading where not too many go on already; what is held until its end is given back, however it ends. */
export async function startStream<T>(parts: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  if (running >= MOST_AT_ONCE)
    throw new AppError(
      "too-many",
      "Other exports are being written. Try again in a minute; nothing was lost.",
      {},
      60_000,
    );
  running++;
  const turn = inTurn(parts);
  // The first part is read now: what stands at its beginning is known when this returns, and a failure is an answer.
  const first = await turn.next();
  return first.done ? none() : after(first.value, turn);
}

async function* inTurn<T>(parts: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    yield* parts;
  } finally {
    running--;
  }
}

/** A generator function would not run its `finally` when it is ended before its first part was asked for. */
function after<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  let isRead = false;
  return Object.assign(Object.create(rest) as AsyncGenerator<T>, {
    async next(): Promise<IteratorResult<T>> {
      if (isRead) return rest.next();
      isRead = true;
      return { done: false, value: first };
    },
    return: (value: unknown) => rest.return(value),
    throw: (error: unknown) => rest.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
  });
}

async function* none(): AsyncGenerator<never> {}
