import { AdoptMachine, type QueueAnswer } from "@/lib/domain/intents/queue";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes about what was asked of the provider and is not done. */
export const QUEUE_DOORS: readonly ApiDoor[] = [
  read(
    "/api/v1/intents/queue",
    "What was asked of Lambda and is not done, in the order of its turns with the time of each; launches on watch; and what was settled within the last day.",
    {
      answer: shape<QueueAnswer>({
        now: "number",
        isFrozen: "boolean",
        open: "array",
        watched: "array",
        settled: "array",
      }),
    },
  ),
  act(
    "/api/v1/intents/{intentId}/adopt",
    "Says that a machine without our mark is the one of a launch that nobody answered.",
    "intent:launch",
    { AdoptMachine },
  ),
];
