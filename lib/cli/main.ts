import { EnvError } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { commands, usage } from "./commands";
import { UsageError } from "./usage";

const [group = "help", ...rest] = process.argv.slice(2);

try {
  const command = commands[group];
  if (group === "help" || group === "--help" || group === "-h") console.log(usage());
  else if (!command) throw new UsageError(`There is no command ${group}.`);
  else process.exitCode = await command.run(rest);
} catch (error) {
  const isTold =
    error instanceof UsageError ||
    error instanceof AppError ||
    error instanceof EnvError ||
    (error as { isForPeople?: boolean }).isForPeople;
  process.stderr.write(`${isTold ? (error as Error).message : ((error as Error).stack ?? String(error))}\n`);
  if (error instanceof UsageError) process.stderr.write(`\n${usage()}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
process.exit();
