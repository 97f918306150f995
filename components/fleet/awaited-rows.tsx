import { Loader, TriangleAlert } from "lucide-react";
import { Panel } from "@/components/ui/panel";
import { Age, Instant } from "@/components/ui/time";
import type { Awaited } from "@/lib/domain/fleet/view";

/** Machines that were asked for and are not in Lambda's list yet. */
export function AwaitedRows({ awaited }: { awaited: readonly Awaited[] }) {
  if (awaited.length === 0) return null;
  return (
    <Panel span={12} title="Asked for" sub="not in Lambda’s list yet">
      <ul className="grid gap-2">
        {awaited.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-2">
            {one.error ? (
              <TriangleAlert size={14} className="text-warn" aria-hidden="true" />
            ) : (
              <Loader size={14} className="text-info" aria-hidden="true" />
            )}
            <b>{one.name}</b>
            <span className="mono text-12 text-text-2">
              {one.typeName}, {one.region}
            </span>
            <span className="muted">
              {words(one)}, asked by {one.by} <Age at={one.createdAt} />
              {one.etaAt !== null && (
                <>
                  , its turn comes <Instant at={one.etaAt} seconds />
                </>
              )}
            </span>
            {one.error && <span>{one.error}</span>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function words(one: Awaited): string {
  if (one.state === "ready") return "waiting for its turn at Lambda’s launch limit";
  if (one.state === "sending") return "being sent";
  if (one.state === "unknown") return "no answer came: it may exist and bill; it is looked for and never sent twice";
  return "accepted, waiting to be listed";
}
