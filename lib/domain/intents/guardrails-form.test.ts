import { expect, test } from "vitest";
import { NO_GUARDRAILS } from "./guardrails";
import { GuardrailsChange } from "./guardrails-form";

const BLOCKS = {
  "block.guard-type": "on",
  "block.guard-region": "on",
  "block.guard-person": "on",
  "block.guard-fleet": "on",
  "block.guard-name": "on",
  "block.guard-labels": "on",
  "block.guard-lease": "on",
};
const empty = { types: "", maxPerson: "", maxFleet: "", launchAbove: "", expires: "14400000", ...BLOCKS };

test("an empty form is no guardrails", () => {
  expect(GuardrailsChange.parse(empty)).toEqual(NO_GUARDRAILS);
});

test("a full form is all of them", () => {
  expect(
    GuardrailsChange.parse({
      ...empty,
      types: "gpu_1x_gh200, gpu_1x_a10 gpu_1x_a10",
      regions: "us-east-3",
      maxPerson: "20",
      maxFleet: "1,000.50",
      namePattern: "nlp-*",
      lease: "3d",
      maxLease: "1w",
      minDriver: "570.86",
      "label.team": "on",
      "label.costCenter": "on",
      "block.budget": "on",
      launchAbove: "10",
      terminate: "risky",
      expires: "3600000",
    }),
  ).toEqual({
    types: ["gpu_1x_gh200", "gpu_1x_a10"],
    regions: ["us-east-3"],
    maxPersonMicrosPerHour: "20000000",
    maxFleetMicrosPerHour: "1000500000",
    namePattern: "nlp-*",
    labels: ["team", "costCenter"],
    leaseMs: 3 * 86_400_000,
    maxLeaseMs: 7 * 86_400_000,
    minDriver: "570.86",
    checks: { budget: "block" },
    approval: { launchAboveMicrosPerHour: "10000000", terminate: "risky", expiresMs: 3_600_000 },
  });
});

test("a check that is not ticked warns", () => {
  const { "block.guard-type": _, ...rest } = empty;
  expect(GuardrailsChange.parse(rest).checks).toEqual({ "guard-type": "warn" });
});

test.each<[string, object]>([
  ["maxPerson", { maxPerson: "a lot" }],
  ["lease", { lease: "soon" }],
  ["lease", { lease: "10m" }],
  ["lease", { lease: "2d", maxLease: "1d" }],
  ["minDriver", { minDriver: "newest" }],
  ["namePattern", { namePattern: "(a+)+" }],
  ["expires", { expires: "1" }],
  ["terminate", { terminate: "sometimes" }],
  ["role", { role: "admin" }],
])("%s is refused: %j", (field, more) => {
  const answer = GuardrailsChange.safeParse({ ...empty, ...more });
  expect(answer.error?.issues.map(({ path }) => path[0])).toContain(field);
});
