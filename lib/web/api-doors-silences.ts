import { NewSilence } from "@/lib/domain/silences/silence";
import {
  SilenceId,
  type SilencePreview,
  SilencePreviewQuestion,
  type SilencesAnswer,
} from "@/lib/domain/silences/view";
import { shape } from "./answer-shape";
import { type ApiDoor, act, read } from "./api-door";

/** Routes by which alerts are kept back. */
export const SILENCE_DOORS: readonly ApiDoor[] = [
  read("/api/v1/silences", "Silences, quiet hours and maintenance windows, with what they keep back and its price.", {
    answer: shape<SilencesAnswer>({ now: "number", zone: "string", rows: "array" }),
  }),
  act(
    "/api/v1/silences",
    "Keeps alerts back; for longer than 4 hours it takes who may edit rules.",
    "alert:acknowledge",
    {
      NewSilence,
    },
  ),
  read("/api/v1/silences/preview", "What conditions would keep back now, and would have in the last week.", {
    question: { SilencePreviewQuestion },
    answer: shape<SilencePreview>({ now: "number", hidesNow: "array", lastWeek: "object", values: "object" }),
  }),
  act("/api/v1/silences/{silenceId}/end", "Ends a silence now.", "alert:acknowledge", { SilenceId }),
];
