import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import type { Route } from "next";
import { Link } from "@/components/ui/link";
import type { Check } from "@/lib/domain/intents/offers";

const ORDER: Record<Check["level"], number> = { error: 0, warning: 1, pass: 2 };
const LOOKS = {
  error: { icon: CircleAlert, tone: "text-crit", word: "In the way" },
  warning: { icon: TriangleAlert, tone: "text-warn", word: "Read this" },
  pass: { icon: CircleCheck, tone: "text-ok", word: "Pass" },
} as const;

export function countOf(checks: readonly Check[], level: Check["level"]): number {
  return checks.filter((check) => check.level === level).length;
}

/** What was looked at before a launch; what stands in the way comes first. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  return (
    <ul>
      {[...checks]
        .sort((a, b) => ORDER[a.level] - ORDER[b.level])
        .map((check) => (
          <CheckLine key={check.key} check={check} />
        ))}
    </ul>
  );
}

function CheckLine({ check }: { check: Check }) {
  const { icon: Icon, tone, word } = LOOKS[check.level];
  return (
    <li className="check-line">
      <Icon size={14} className={tone} aria-hidden="true" />
      <span>
        <b className="block">
          <span className="sr-only">{word}: </span>
          {check.title}
        </b>
        <span className="text-12 text-text-2">
          {check.detail}
          {check.instances?.map(({ id, name }) => (
            <span key={id}>
              {" "}
              <Link className="link" href={`/fleet/${id}` as Route}>
                {name}
              </Link>
            </span>
          ))}
        </span>
      </span>
    </li>
  );
}
