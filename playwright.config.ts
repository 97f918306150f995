import { defineConfig } from "@playwright/test";

/** Journeys through the built app. The launcher hands over the browser it found; each file says which world it wants. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  // Each file has a database, a cloud and a browser of its own, and waits for them half of the time.
  workers: 2,
  retries: 0,
  timeout: 300_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    // A colour halfway between two states has the contrast of neither.
    contextOptions: { reducedMotion: "reduce" },
    actionTimeout: 20_000,
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: {
      args: ["--no-sandbox"],
      ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
    },
  },
});
