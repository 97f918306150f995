import { defineConfig } from "@playwright/test";

/** Journeys through the built app. The launcher hands over the browser it found; each file says which world it wants. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  workers: 1,
  retries: 0,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  use: {
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    actionTimeout: 20_000,
    screenshot: "only-on-failure",
    trace: "off",
    launchOptions: {
      args: ["--no-sandbox"],
      ...(process.env.CHROMIUM && { executablePath: process.env.CHROMIUM }),
    },
  },
});
