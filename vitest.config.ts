import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { defineConfig } from "vitest/config";

const alias = { "@": import.meta.dirname };

/** Tests that put a module in another's place would leave it there for the files after them. */
const replacing = readdirSync("lib", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".db.test.ts"))
  .map((file) => path.posix.join("lib", file))
  .filter((file) => /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, "utf8")));

const db = {
  globalSetup: ["lib/testing/database-server.ts"],
  setupFiles: ["lib/testing/database.ts"],
  testTimeout: 180_000,
  hookTimeout: 240_000,
  maxWorkers: 2,
};

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: {
          name: "unit",
          include: ["{lib,components,agent}/**/*.test.ts"],
          exclude: ["**/*.db.test.ts"],
          // Pure functions leave nothing behind, and those that watch a process mostly wait.
          isolate: false,
          maxWorkers: 3,
          // Machines are shared: a search for counterexamples may wait for its turn.
          testTimeout: 60_000,
        },
      },
      {
        resolve: { alias },
        test: { ...db, name: "db", include: ["lib/**/*.db.test.ts"], exclude: replacing, isolate: false },
      },
      { resolve: { alias }, test: { ...db, name: "db-replacing", include: replacing } },
    ],
  },
});
