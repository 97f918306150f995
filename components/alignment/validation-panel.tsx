import { CodeLine } from "@/components/ui/code";
import { Deck, Panel } from "@/components/ui/panel";
import { validationSteps } from "@/lib/domain/alignment/report";
import type { AlignmentAnswer } from "@/lib/domain/alignment/view";

/** How a person checks by hand what the page says. */
export function ValidationPanel({ data }: { data: AlignmentAnswer }) {
  return (
    <Deck>
      <Panel span={12} title="Check it by hand" sub="on the machines, and at Lambda">
        <ol className="validation">
          {validationSteps(data).map(({ title, command, expected }) => (
            <li key={title} className="validation-step">
              <b>{title}</b>
              <CodeLine text={command} what="command" />
              <ul className="text-12 text-text-2">
                {expected.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      </Panel>
    </Deck>
  );
}
