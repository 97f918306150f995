import { defineConfig } from "vitest/config";

const alias = { "@": import.meta.dirname };

export default defineConfig({
  test: {
    projects: [
      {
        resolve: { alias },
        test: { name: "unit", include: ["{lib,components,agent}/**/*.test.ts"], exclude: ["**/*.db.test.ts"] },
      },
    ],
  },
});
