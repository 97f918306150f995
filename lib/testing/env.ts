import { vi } from "vitest";
import { forgetEnv } from "@/lib/env";

/** Sets variables until the end of the file of tests, whatever was read of the environment before. */
export function stubEnv(values: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  forgetEnv();
}

export function unstubEnv(): void {
  vi.unstubAllEnvs();
  forgetEnv();
}
