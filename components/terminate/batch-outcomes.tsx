import { CircleCheck, CircleX, UserCheck } from "lucide-react";
import { Note } from "@/components/ui/note";
import { formatCount } from "@/lib/domain/format";
import type { BatchOutcome } from "@/lib/domain/intents/change";

const LOOKS = {
  send: { icon: CircleCheck, tone: "text-ok", word: "Asked for" },
  approval: { icon: UserCheck, tone: "text-info", word: "Waits for a second person" },
  open: { icon: CircleCheck, tone: "text-text-3", word: "Asked for before" },
  refused: { icon: CircleX, tone: "text-crit", word: "Refused" },
} as const;

/** What became of each machine of a batch; what was left out first. */
export function BatchOutcomes({ outcomes }: { outcomes: readonly BatchOutcome[] }) {
  const going = outcomes.filter(({ outcome }) => outcome === "send" || outcome === "approval");
  const left = outcomes.filter(({ outcome }) => outcome === "refused" || outcome === "open");
  return (
    <div className="grid min-w-0 gap-3">
      <Note tone={left.length === 0 ? "ok" : "warn"}>
        <b>
          {formatCount(going.length, "instance")} asked for
          {left.length > 0 && `, ${left.length} left out`}.
        </b>{" "}
        Each is sent when its turn at Lambda’s limit comes.
      </Note>
      <ul className="machine-evidences">
        {[...left, ...going].map(({ instanceId, name, outcome, words }) => {
          const { icon: Icon, tone, word } = LOOKS[outcome];
          return (
            <li key={instanceId} className="change-fact">
              <Icon size={16} className={tone} aria-hidden="true" />
              <span className="min-w-0">
                <b className="block">{name}</b>
                <span className="text-12 text-text-2">{words}</span>
              </span>
              <span className="muted text-12">{word}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
