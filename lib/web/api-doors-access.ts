import type { WallboardAnswer } from "@/lib/domain/wallboard";
import { shape } from "./answer-shape";
import { type ApiDoor, read } from "./api-door";

/** Routes for those who are let in to one thing. */
export const ACCESS_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/wallboard",
    "The fleet for a screen on the wall: machines, what fires and what burns, without a person’s name. For tokens with the scope wallboard:read.",
    {
      right: "wallboard:read",
      answer: shape<WallboardAnswer>({
        now: "number",
        name: "string",
        freshness: "object",
        totals: "object",
        utilizationPct: "number?",
        idle: "object",
        alerts: "object",
        tiles: "array",
        more: "number",
      }),
    },
  ),
];
