import type { CoverageAnswer } from "@/lib/domain/alerts/coverage";
import { shape } from "./answer-shape";
import { type ApiDoor, read } from "./api-door";

/** Routes about rules as a whole. */
export const RULE_DOORS: readonly ApiDoor[] = [
  read("/api/v1/rules/coverage", "Which GPU has no rule for which risk, and whose alerts nobody would hear.", {
    answer: shape<CoverageAnswer>({ now: "number", rows: "array", unheard: "array", deadRoutes: "array" }),
  }),
  read("/api/v1/rules/file", "Alert rules, routes, silences and budgets as one YAML file.", {
    answer: { type: "application/yaml", about: "The rules, as the product takes them back." },
  }),
  read("/api/v1/rules/prometheus", "The rules that PromQL can say, as a rule file of Prometheus.", {
    answer: { type: "application/yaml", about: "A rule file; what was left out stands in it as comments." },
  }),
];
