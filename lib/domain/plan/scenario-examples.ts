import type { ScenarioBody } from "./scenario-body";

export type ScenarioExample = { key: string; name: string; about: string; body: ScenarioBody };

const TEXTNLP = "TextNLP GPU requirements";
const undated = { source: TEXTNLP, asOf: "" };

const FOUR: Extract<ScenarioBody, { kind: "costs" }>["lines"] = [
  {
    name: "Development, 2 × g4dn.xlarge",
    count: "2",
    price: { usd: "0.526", ...undated },
    hours: "8",
    every: "day",
    days: "22",
  },
  {
    name: "Staging, p3.2xlarge",
    count: "1",
    price: { usd: "3.060", ...undated },
    hours: "4",
    every: "day",
    days: "22",
  },
  {
    name: "Production, 3 × g4dn.2xlarge",
    count: "3",
    price: { usd: "0.752", ...undated },
    hours: "24",
    every: "day",
    days: "30",
  },
  {
    name: "Training, p4d.24xlarge",
    count: "1",
    price: { usd: "32.770", ...undated },
    hours: "24",
    every: "week",
    days: "0",
  },
];

const FOUR_NOTES = [
  "Printed as $185, $269, $1,623 and $3,146. Production is $1,624.32.",
  "The price of p4d is not of today: its list price on 2026-06-15 was $21.9576.",
];

const AWS_2025 = { usd: "32.77", gpus: "8", source: `${TEXTNLP}, p4d.24xlarge`, asOf: "" };
const AWS_2026 = { usd: "21.9576", gpus: "8", source: "AWS price list, p4d.24xlarge in us-east-1", asOf: "2026-06-15" };
const move = (
  from: typeof AWS_2025,
  to: { usd: string; source: string; asOf: string },
  notes: string[] = [],
): ScenarioBody => ({
  kind: "move",
  monthlyUsd: "15000",
  from,
  to,
  speedup: "1.64",
  setupHours: "8",
  setupUsdPerHour: "200",
  migrationUsd: "",
  notes: [
    "That an H100 does 1.64 times the work of an A100 is the course’s figure. Measure yours: other lines of it say 1.3 and 1.667.",
    ...notes,
  ],
});

/** Calculations of the requirements, with their wrong numbers put right. They are where a scenario of one's own may begin. */
export const SCENARIO_EXAMPLES: readonly ScenarioExample[] = [
  {
    key: "environments",
    name: "Four environments, 4 weeks",
    about: "Development, staging, production and a weekly training at AWS; a month of four weeks.",
    body: { kind: "costs", weeks: "4", lines: FOUR, notes: FOUR_NOTES },
  },
  {
    key: "environments-52",
    name: "Four environments, 52 ÷ 12 weeks",
    about: "The same with weeks as a year has them: the training costs $3,408.08, not $3,145.92.",
    body: { kind: "costs", weeks: "52/12", lines: FOUR, notes: FOUR_NOTES },
  },
  {
    key: "move-2025",
    name: "From AWS to Lambda, prices of 2025",
    about: "$15,000 a month on p4d.24xlarge, H100 at $2.99 a GPU-hour.",
    body: move(AWS_2025, { usd: "2.99", source: "Lambda API, 8 × H100 SXM", asOf: "2025-11-22" }),
  },
  {
    key: "move-2026",
    name: "From AWS to Lambda, prices of 2026",
    about: "The same exercise with both list prices of 2026: a third of the saving is left.",
    body: move(AWS_2026, { usd: "3.99", source: "Lambda list, 8 × H100 SXM", asOf: "2026-05-08" }, [
      "Only the two prices differ from the exercise with those of 2025.",
    ]),
  },
  {
    key: "training-70b",
    name: "Training of a 70B model",
    about: "64 GPUs for 21 days at $64,512, against $180,000 elsewhere.",
    body: {
      kind: "training",
      totalUsd: "64512",
      otherUsd: "180000",
      gpus: "64",
      days: "21",
      notes: ["64.2 % by these numbers; the text beside them claims 40 to 60 %. “$180,000+” has no source."],
    },
  },
];
