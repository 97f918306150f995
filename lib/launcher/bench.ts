import { spawn } from "node:child_process";

// The measurements start the product by its own command; here is only the way to them.
const child = spawn(process.execPath, ["--import", "tsx", "bench/main.ts", ...process.argv.slice(3)], {
  stdio: "inherit",
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
process.exitCode = await new Promise<number>((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
