import { z } from "zod";
import { SESSION_LIMITS } from "./people";

const DAY = 24 * 3_600_000;

/** Every setting that people may change, with its default. The key is the row's id. */
export const SETTINGS = {
  session: z
    .object({
      idleMs: z
        .number()
        .int()
        .min(60_000)
        .max(30 * DAY),
      absoluteMs: z
        .number()
        .int()
        .min(300_000)
        .max(90 * DAY),
    })
    .default(SESSION_LIMITS),
  /** Whole days each level of telemetry is kept. */
  retention: z
    .object({
      samplesDays: z.number().int().min(2).max(400),
      distributionsDays: z.number().int().min(2).max(400),
      hoursDays: z.number().int().min(30).max(3650),
    })
    .default({ samplesDays: 60, distributionsDays: 60, hoursDays: 730 }),
  /** The month's budget of the whole fleet in micro-dollars, as text; null: none. */
  budget: z
    .object({
      monthMicros: z
        .string()
        .regex(/^\d{1,15}$/)
        .nullable(),
    })
    .default({ monthMicros: null }),
  /** In which zone days and months are accounted. */
  accounting: z.object({ zone: z.string().min(1).max(60) }).default({ zone: "UTC" }),
} as const;

export type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]> };
export type SettingKey = keyof Settings;
