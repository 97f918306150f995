"use client";

import { FormDialog } from "@/components/settings/form-dialog";
import type { Act } from "@/components/settings/use-act";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TextAreaField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { formatUsdRate } from "@/lib/domain/format";
import type { AutomationState, OutlookRow, PolicyRow } from "@/lib/domain/policies/view";
import { doWords, TargetName } from "./policy-words";

export type Keep = Act<{ policyId: string; target: string; slot: number; reason: string }, { id: string }>;

const STATES = {
  acts: { tone: "ok", word: "Now" },
  later: { tone: "info", word: "Later" },
  waits: { tone: "mute", word: "Left alone" },
} as const;

type Props = { policy: PolicyRow; automation: AutomationState; keep: Keep | null };

/** What it wants at this moment, when, and what stands against it. */
export function OutlookPanel({ policy, automation, keep }: Props) {
  const isShadow = policy.mode === "shadow";
  const rows = policy.outlook;
  return (
    <Panel title="Now and next" sub={isShadow ? "what it would do" : undefined} isFlush={rows.length > 0}>
      {rows.length === 0 ? (
        <p className="muted">
          {policy.mode === "paused" || automation.stoppedAt !== null
            ? "It wants nothing while it does not look."
            : "Nothing is due, and nothing is left alone."}
        </p>
      ) : (
        <Table label="What it does now and next">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">State</th>
              <th scope="col">When</th>
              <th scope="col" className="num">
                Price
              </th>
              <th scope="col">
                <span className="sr-only">Act</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row.slot} ${row.target}`}>
                <th scope="row" className="policy-what">
                  {row.resourceId === null ? doWords(row, isShadow) : <TargetName of={row} />}
                  <small className="policy-sub">{row.words}</small>
                </th>
                <td>
                  <Badge tone={row.isPlanned ? "warn" : STATES[row.state].tone}>
                    {row.isPlanned ? "Announced" : STATES[row.state].word}
                  </Badge>
                </td>
                <td className="whitespace-nowrap">
                  {row.at === null ? <Missing reason="when nothing stands against it" /> : <Instant at={row.at} />}
                </td>
                <td className="num">{row.priceMicros === null ? "" : formatUsdRate(row.priceMicros)}</td>
                <td className="num">
                  {keep && row.isPlanned && row.state !== "acts" && (
                    <KeepButton policy={policy} row={row} keep={keep} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}

function KeepButton({ policy, row, keep }: { policy: PolicyRow; row: OutlookRow; keep: Keep }) {
  return (
    <FormDialog
      trigger={<Button size="small">Keep it</Button>}
      title={`Keep ${row.name} from ${policy.name}?`}
      about="It is not done on this occasion. The policy goes on, and may want it again at another."
      word="Keep it"
      act={(data: FormData) =>
        keep({ policyId: policy.id, target: row.target, slot: row.slot, reason: String(data.get("reason") ?? "") })
      }
      fields={["reason"]}
      onDone={() => toast("ok", `${row.name} is kept`)}
    >
      {(failure) => (
        <TextAreaField label="Why" name="reason" required maxLength={500} rows={2} error={failure?.fields.reason} />
      )}
    </FormDialog>
  );
}
