import { Circle, CircleCheck, CircleMinus, CircleX } from "lucide-react";
import { CHECK_NAMES, type CheckState, type Verification } from "@/lib/domain/intents/verification";

const LOOKS: Record<CheckState, { icon: typeof Circle; tone: string; word: string }> = {
  passed: { icon: CircleCheck, tone: "text-ok", word: "Passed" },
  failed: { icon: CircleX, tone: "text-crit", word: "Failed" },
  waiting: { icon: Circle, tone: "text-text-3", word: "Waiting" },
  skipped: { icon: CircleMinus, tone: "text-text-3", word: "Not checked" },
};

/** What was ordered against what is reported, line by line. */
export function VerificationList({ checks }: { checks: Verification["checks"] }) {
  return (
    <ul className="verification" aria-label="Checks after boot">
      {checks.map(({ key, state, words }) => {
        const { icon: Icon, tone, word } = LOOKS[state];
        return (
          <li key={key}>
            <Icon size={14} className={tone} aria-hidden="true" />
            <span>
              <span className="sr-only">{word}: </span>
              <b>{CHECK_NAMES[key]}</b>{" "}
              <span className={state === "failed" ? "text-crit" : "text-text-2"}>{words}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
