import { z } from "zod";
import { usd } from "@/lib/domain/settings";
import { Guardrails, NEEDED_LABELS, TERMINATE_APPROVALS, TUNABLE_CHECKS, type TunableCheck } from "./guardrails";
import { readSpan } from "./span";

const HOUR_MS = 3_600_000;
const MOST_USD = 10_000n * 1_000_000n;

const list = (most: number) =>
  z
    .string()
    .max(4_000)
    .default("")
    .transform((text) => [...new Set(text.split(/[\s,]+/).filter(Boolean))])
    .pipe(z.array(z.string().max(100)).max(most));

const span = z
  .string()
  .max(20)
  .default("")
  .transform((text, issues): number | null => {
    if (text.trim() === "") return null;
    const ms = readSpan(text);
    if (ms !== null && ms >= HOUR_MS) return ms;
    issues.addIssue({ code: "custom", message: "is no time such as 8h, 3d or 1d12h, of an hour at least" });
    return z.NEVER;
  });

const micros = (value: bigint | null) => value?.toString() ?? null;
const checks = Object.keys(TUNABLE_CHECKS) as TunableCheck[];

/** The guardrails as their form sends them: one field each, empty for "not set"; a check that is ticked blocks. */
export const GuardrailsChange = z
  .object({
    types: list(200),
    regions: list(100),
    maxPerson: usd(MOST_USD),
    maxFleet: usd(MOST_USD),
    namePattern: z
      .string()
      .trim()
      .max(64, "Use at most 64 characters")
      .regex(/^[A-Za-z0-9._*?-]*$/, "Use letters, digits, dots, dashes, underscores, * and ?")
      .default(""),
    lease: span,
    maxLease: span,
    minDriver: z
      .string()
      .trim()
      .regex(/^(\d{1,5}(\.\d{1,5}){0,3})?$/, "is no version such as 570.86")
      .default(""),
    launchAbove: usd(MOST_USD),
    terminate: z.enum(TERMINATE_APPROVALS).default("never"),
    expires: z.coerce
      .number({ error: "Choose a time" })
      .int()
      .min(HOUR_MS / 4, "At least 15 minutes")
      .max(7 * 24 * HOUR_MS, "At most a week"),
  })
  .catchall(z.literal("on"))
  .superRefine(({ lease, maxLease }, issues) => {
    if (lease !== null && maxLease !== null && lease > maxLease)
      issues.addIssue({ code: "custom", path: ["lease"], message: "is longer than a lease may be" });
  })
  .transform((form): Guardrails => {
    const isOn = (name: string) => (form as Record<string, unknown>)[name] === "on";
    return Guardrails.parse({
      types: form.types,
      regions: form.regions,
      maxPersonMicrosPerHour: micros(form.maxPerson),
      maxFleetMicrosPerHour: micros(form.maxFleet),
      namePattern: form.namePattern,
      labels: NEEDED_LABELS.filter((label) => isOn(`label.${label}`)),
      leaseMs: form.lease,
      maxLeaseMs: form.maxLease,
      minDriver: form.minDriver,
      checks: Object.fromEntries(
        checks.flatMap((key) => {
          const level = isOn(`block.${key}`) ? "block" : "warn";
          return level === TUNABLE_CHECKS[key].level ? [] : [[key, level]];
        }),
      ),
      approval: {
        launchAboveMicrosPerHour: micros(form.launchAbove),
        terminate: form.terminate,
        expiresMs: form.expires,
      },
    });
  });

export type GuardrailsAnswer = {
  now: number;
  guardrails: Guardrails;
  /** What could be allowed: types and regions that Lambda names. */
  types: string[];
  regions: string[];
  /** Latest versions of what is in force now on the fleet, for the minimum driver. */
  drivers: string[];
};
