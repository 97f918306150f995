// Preloaded into every child of the launcher: when the launcher is gone, however it went, the child ends too.
if (process.connected === false) process.exit(1); // Gone already.
if (process.channel) {
  process.channel.unref();
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 15_000).unref();
  });
}
// A child's own workers hang on the child, by channels that must stay as they are.
const at = process.execArgv.findIndex((word) => word.endsWith("leash.mjs"));
if (at > 0) process.execArgv.splice(at - 1, 2);
