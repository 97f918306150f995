import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { required } from "@/lib/env";
import { PrismaClient } from "./generated/client";
import { forgetAll } from "./memory";

const cached = globalThis as { hopperdeckDb?: ReturnType<typeof connect> };

function connect() {
  const pool = new pg.Pool({
    connectionString: required("databaseUrl"),
    max: 12,
    // The worker's jobs come in bursts of half a minute; a new connection learns every table again before it is quick.
    idleTimeoutMillis: 5 * 60_000,
    connectionTimeoutMillis: 10_000,
    fallback_application_name: "hopperdeck",
  });
  // A lost connection must end the query that used it, not the process: neither one that waits nor one that is lent out.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { disposeExternalPool: true }),
    omit: { secret: { ciphertext: true, nonce: true }, user: { passwordHash: true } },
    transactionOptions: { maxWait: 10_000, timeout: 30_000 },
  });
  return { pool, prisma };
}

const current = () => {
  cached.hopperdeckDb ??= connect();
  return cached.hopperdeckDb;
};

type Db = ReturnType<typeof connect>["prisma"];

/** The client inside a transaction, or out of one. */
export type Client = Omit<Db, "$connect" | "$disconnect" | "$on" | "$use" | "$extends">;

/** One client and one pool per process, made at the first question; kept across hot reloads in development. */
export const prisma: Db = new Proxy({} as Db, {
  get(_, name) {
    const client = current().prisma;
    const value = Reflect.get(client, name);
    return typeof value === "function" ? value.bind(client) : value;
  },
});

/** For what Prisma cannot do: COPY, and thousands of rows in one statement. */
export const pool = (): pg.Pool => current().pool;

/** Everything in `work` happens, or nothing does. For facts; what people change goes through `mutate`. */
export function transact<T>(work: (tx: Client) => Promise<T>): Promise<T> {
  return untilLetThrough(() => prisma.$transaction(work));
}

const TRIES = 3;

/** Of two transactions that wait for each other PostgreSQL undoes one, all of it: that one is done again. */
export async function untilLetThrough<T>(run: () => Promise<T>): Promise<T> {
  for (let left = TRIES - 1; ; left--) {
    try {
      return await run();
    } catch (error) {
      if (left === 0 || !isDeadlock(error)) throw error;
    }
  }
}

/** As Prisma says it of its own statements, and of those written by hand. */
function isDeadlock(error: unknown): boolean {
  const { code, meta } = error as { code?: unknown; meta?: { driverAdapterError?: { cause?: { kind?: unknown } } } };
  return code === "P2034" || meta?.driverAdapterError?.cause?.kind === "TransactionWriteConflict";
}

export async function disconnect(): Promise<void> {
  const open = cached.hopperdeckDb;
  delete cached.hopperdeckDb;
  forgetAll();
  await open?.prisma.$disconnect();
}
