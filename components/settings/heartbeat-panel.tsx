"use client";

import { useLive } from "@/components/page/use-live";
import { TextField } from "@/components/ui/field";
import { Panel, type Span } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Age } from "@/components/ui/time";
import type { HeartbeatAnswer } from "@/lib/domain/notify/heartbeat";
import { heartbeatQuery } from "@/lib/queries/notify";
import { SettingForm } from "./setting-form";
import type { Act } from "./use-act";

type Props = {
  set: Act<FormData, { host: string }>;
  /** Why this person may not; null where they may. */
  locked: string | null;
  span?: Span;
};

/** A sign of life to somebody outside, who raises the alarm when it stays away. */
export function HeartbeatPanel({ set, locked, span }: Props) {
  const { data } = useLive(heartbeatQuery());
  return (
    <Panel title="Heartbeat" sub="who alarms when Hopperdeck itself is gone" {...(span && { span })}>
      <div className="grid gap-3">
        <p className="text-text-2">
          Once a minute a sign of life is posted to a checker outside, such as healthchecks.io or a dead man&#39;s
          switch. When it stays away, that checker raises the alarm.
        </p>
        <Pulse data={data} />
        <SettingForm act={set} fields={["url"]} done="The heartbeat is set" locked={locked} isCleared>
          {(failure) => (
            <TextField
              label={data.host === "" ? "Address" : "New address"}
              name="url"
              type="url"
              maxLength={2_000}
              placeholder="https://hc-ping.com/…"
              hint={
                data.host === ""
                  ? "A secret: it is kept encrypted and never shown again."
                  : "Kept encrypted, never shown again. Left empty, saving ends the heartbeat."
              }
              error={failure?.fields.url}
            />
          )}
        </SettingForm>
      </div>
    </Panel>
  );
}

function Pulse({ data: { host, last } }: { data: HeartbeatAnswer }) {
  if (host === "") return <Status of="notChecked">Nobody outside watches</Status>;
  if (!last)
    return (
      <p>
        To <span className="mono">{host}</span>, first within a minute.
      </p>
    );
  return (
    <p>
      <Status of={last.error === null ? "pass" : "mismatch"}>
        {last.error === null ? "Heard" : "Not heard"} <Age at={last.at} />
      </Status>{" "}
      by <span className="mono">{host}</span>
      {last.error !== null && <span className="block text-text-2">{last.error}</span>}
    </p>
  );
}
