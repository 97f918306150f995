import { createInterface } from "node:readline";
import { systemCtx } from "@/lib/domain/access";
import { evaluateAlerts } from "@/lib/services/alerts/evaluate";

/* A process that judges and does nothing else: for each instant on the standard input one round, and what it cost. */

const before = process.memoryUsage().rss;

for await (const line of createInterface({ input: process.stdin })) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await evaluateAlerts(systemCtx("bench", new Date(Number(line))));
  const { user, system } = process.cpuUsage(cpu);
  const answer = {
    cpuMs: (user + system) / 1_000,
    ms: performance.now() - began,
    addedBytes: process.memoryUsage().rss - before,
  };
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
process.exit();
