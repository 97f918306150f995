import { CircleAlert, CircleCheck } from "lucide-react";
import type { LaunchLine } from "@/lib/domain/intents/one-line";

/** What a line was understood as, word by word. */
export function LineWords({ line }: { line: LaunchLine }) {
  return (
    <ul className="line-words" aria-label="What the line says">
      {line.words.map((word, index) => {
        const Icon = word.problem === null ? CircleCheck : CircleAlert;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: words keep their places, and one may stand twice
          <li key={index} className={word.problem === null ? undefined : "is-wrong"}>
            <Icon size={12} aria-hidden="true" />
            <span className="mono">{word.text}</span>
            <span>{word.problem ?? word.meaning}</span>
          </li>
        );
      })}
    </ul>
  );
}
