import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { disconnect } from "@/lib/db/client";
import { now } from "@/lib/db/clock";
import { systemCtx } from "@/lib/domain/access";
import { env } from "@/lib/env";
import { prepareHouse } from "@/lib/services/house";
import { jobs } from "./jobs";
import { repeat } from "./loop";
import { serveTestClock } from "./test-clock";

const stop = new AbortController();
// Every job listens, and what it waits for listens again.
setMaxListeners(0, stop.signal);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.abort());

const holder = randomUUID();
await prepareHouse(systemCtx("start", await now()));
if (env.testClock) await serveTestClock(jobs, holder, stop.signal);
else await Promise.all(jobs.map((job) => repeat(job, holder, stop.signal)));
await disconnect();
process.exit(0);
