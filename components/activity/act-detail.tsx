import { Facts } from "@/components/ui/page";
import { Instant } from "@/components/ui/time";
import { fieldWords, valueWords } from "@/lib/domain/activity/fields";
import type { Act } from "@/lib/domain/activity/view";

/** Everything that was written of one act. */
export function ActDetail({ act }: { act: Act }) {
  const changes = Object.entries(act.changes);
  return (
    <div className="act-detail">
      <Facts
        rows={[
          ["When", <Instant key="at" at={act.at} seconds year />],
          ["Who", `${act.who.name}${act.ip ? `, from ${act.ip}` : ""}`],
          ...(act.who.mark
            ? [
                [
                  "In Lambda’s words",
                  <span key="mark" className="mono break-all">
                    {act.who.mark}
                  </span>,
                ] as const,
              ]
            : []),
          [
            "Action",
            <span key="action" className="mono">
              {act.action}
            </span>,
          ],
          ...(act.reason ? [["Reason", act.reason] as const] : []),
          ...(act.seq === null
            ? [
                [
                  "Recorded by",
                  act.key.startsWith("l") ? "our look at Lambda’s listing" : "Lambda’s audit log",
                ] as const,
              ]
            : [
                [
                  "Entry",
                  <span key="seq" className="mono">
                    {act.seq}, {act.hash?.slice(0, 4)}…{act.hash?.slice(-4)}
                  </span>,
                ] as const,
              ]),
        ]}
      />
      {changes.length > 0 && (
        <Facts
          rows={changes.map(([field, { from, to }]) => [
            fieldWords(field),
            <span key={field} className="break-words">
              {from != null && <span className="muted">{valueWords(field, from)} → </span>}
              {valueWords(field, to)}
            </span>,
          ])}
        />
      )}
    </div>
  );
}
