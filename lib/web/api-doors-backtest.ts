import { type BacktestAnswer, BacktestQuestion } from "@/lib/domain/alerts/backtest";
import { shape } from "./answer-shape";
import type { ApiDoor } from "./api-door";

/** Rules held against the history that is kept. */
export const BACKTEST_DOORS: readonly ApiDoor[] = [
  {
    path: "/api/v1/rules/backtest",
    method: "post",
    summary: "How often, how long, where and at what price a rule would have fired. Nothing is written.",
    question: { BacktestQuestion },
    answer: shape<BacktestAnswer>({ now: "number", incidents: "array", result: "object?", why: "string?" }),
    right: "rule:write",
  },
];
