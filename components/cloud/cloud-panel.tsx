import type { ReactNode } from "react";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";

type Head = { words: string; isNumber?: boolean; isWide?: boolean };

type Props = {
  title: string;
  sub: string;
  /** Makes another one; left out where this person may not. */
  action: ReactNode;
  heads: readonly Head[];
  /** One each; none: `empty` says so. */
  rows: readonly ReactNode[];
  empty: string;
  /** Why this person may not change them; null where they may. */
  locked: string | null;
};

/** Things in Lambda's account: what each is, who uses it, and what can be done with it. */
export function CloudPanel({ title, sub, action, heads, rows, empty, locked }: Props) {
  return (
    <Panel title={title} sub={sub} actions={locked === null && action} span={12} isFlush>
      {rows.length === 0 ? (
        <p className="muted panel-words">{empty}</p>
      ) : (
        <Table label={title}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head.words} scope="col" className={cellClass(head)}>
                  {head.words}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </Table>
      )}
      {locked !== null && <p className="muted panel-words">{locked}</p>}
    </Panel>
  );
}

export function CloudName({ children }: { children: string }) {
  return (
    <th scope="row" className="mono font-medium">
      {children}
    </th>
  );
}

/** `isWide`: left out on a phone. */
function cellClass({ isNumber, isWide }: Head): string | undefined {
  return [isNumber && "num", isWide && "not-phone"].filter(Boolean).join(" ") || undefined;
}
