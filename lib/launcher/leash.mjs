// Preloaded into every child of `npm start`: when the supervisor is gone, however it went, the child ends too.
if (process.channel) {
  process.channel.unref();
  process.once("disconnect", () => {
    process.kill(process.pid, "SIGTERM");
    setTimeout(() => process.exit(1), 15_000).unref();
  });
}
