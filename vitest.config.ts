import { defineConfig } from "vitest/config";

const alias = { "@": import.meta.dirname };

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
        test: {
          name: "db",
          include: ["lib/**/*.db.test.ts"],
          globalSetup: ["lib/testing/database-server.ts"],
          setupFiles: ["lib/testing/database.ts"],
          testTimeout: 180_000,
          hookTimeout: 240_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
