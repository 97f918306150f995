"use client";

import { Send, Waypoints } from "lucide-react";
import type { Route } from "next";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { SelectField } from "@/components/ui/field";
import { Panel, type Span } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { CHANNEL_WORDS, type ChannelRow, type Digest } from "@/lib/domain/alerts/channels";
import { SEVERITIES, type Severity } from "@/lib/domain/alerts/types";
import { formatNumber } from "@/lib/domain/format";
import { channelsQuery } from "@/lib/queries/settings";
import {
  ChannelDialog,
  type CreateChannel,
  DIGEST_WORDS,
  DigestChoice,
  digestsIn,
  LEAST_WORDS,
} from "./channel-dialog";
import { Confirm } from "./confirm";
import { FormDialog } from "./form-dialog";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

type ChannelUpdate = {
  channelId: string;
  enabled?: boolean;
  minSeverity?: Severity;
  sendResolved?: boolean;
  digests?: Digest[];
};

type Props = {
  create: CreateChannel;
  change: Act<ChannelUpdate, { id: string }>;
  remove: Act<{ channelId: string }, { id: string }>;
  test: Act<{ channelId: string }, { id: string }>;
  /** Why this person may not; null where they may. */
  locked: string | null;
  span?: Span;
};

/** Where alerts are told, and what came of the last message. */
export function ChannelsPanel({ create, change, remove, test, locked, span }: Props) {
  const { data } = useLive(channelsQuery());
  return (
    <Panel
      title="Channels"
      sub="where alerts are told, besides the inbox"
      actions={
        <>
          <ButtonLink size="small" icon={Waypoints} href={"/alerts/routes" as Route}>
            Routes
          </ButtonLink>
          {locked === null && <ChannelDialog create={create} />}
        </>
      }
      isFlush
      {...(span && { span })}
    >
      {data.channels.length === 0 ? (
        <p className="muted panel-words">
          None. Alerts stand in the inbox only; add Slack, PagerDuty, mail or a webhook to be told elsewhere.
        </p>
      ) : (
        <ul className="row-list" aria-label="Channels">
          {data.channels.map((channel) => (
            <li key={channel.id}>
              <ChannelWords channel={channel} />
              {locked === null && <ChannelActs channel={channel} {...{ change, remove, test }} />}
            </li>
          ))}
        </ul>
      )}
      <p className="muted panel-words">
        {locked ??
          "Addresses are kept encrypted and never shown again. Private networks are called only where OUTBOUND_PRIVATE_CIDRS allows them."}
      </p>
    </Panel>
  );
}

function ChannelWords({ channel }: { channel: ChannelRow }) {
  const { kind, name, host, config, enabled, minSeverity, sendResolved } = channel;
  return (
    <div className="row-words">
      <p>
        <b>{name}</b> <span className="muted">{CHANNEL_WORDS[kind]}</span> {!enabled && <Badge tone="mute">Off</Badge>}
      </p>
      <p className="text-text-2">
        {kind === "email" ? (
          <>
            {config.to.join(", ")} <span className="muted">by</span> <span className="mono">{host}</span>{" "}
            <span className="muted">from {config.from}</span>
          </>
        ) : (
          <span className="mono">{host}/…</span>
        )}
      </p>
      <p className="muted">
        Is told {LEAST_WORDS[minSeverity]}
        {sendResolved && ", and the end"}
        {config.digests.length > 0 && `; costs ${config.digests.map((digest) => DIGEST_WORDS[digest]).join(", ")}`}
      </p>
      <p>
        <LastMessage channel={channel} />
      </p>
    </div>
  );
}

function LastMessage({ channel: { last, isUnreadable } }: { channel: ChannelRow }) {
  if (isUnreadable)
    return (
      <Status of="mismatch">Its address cannot be read: SECRETS_KEY is another one. Remove it and add it again.</Status>
    );
  if (!last) return <span className="muted">No message yet</span>;
  return last.isDelivered ? (
    <Status of="pass">
      Delivered <Age at={last.at} />
      {last.tookMs !== null && ` in ${formatNumber(Math.round(last.tookMs))} ms`}
    </Status>
  ) : (
    <Status of="mismatch">
      <Age at={last.at} />: {last.error}
    </Status>
  );
}

type ActsProps = Pick<Props, "change" | "remove" | "test"> & { channel: ChannelRow };

function ChannelActs({ channel, change, remove, test }: ActsProps) {
  const { id: channelId, name, enabled } = channel;
  const testing = useAct(test);
  const changing = useAct(change);
  return (
    <>
      <span className="row-actions">
        <Button
          size="small"
          icon={Send}
          isPending={testing.isPending}
          aria-label={`Send a test message to ${name}`}
          onClick={() =>
            testing.run({ channelId }, () =>
              toast("info", `A test message to ${name} is on its way`, "What came of it appears in its row."),
            )
          }
        >
          Test
        </Button>
        <ChangeDialog channel={channel} change={change} />
        <Button
          size="small"
          look="ghost"
          isPending={changing.isPending}
          aria-label={`Switch ${name} ${enabled ? "off" : "on"}`}
          onClick={() => changing.run({ channelId, enabled: !enabled })}
        >
          {enabled ? "Switch off" : "Switch on"}
        </Button>
        <Confirm
          trigger={
            <Button size="small" look="ghost" aria-label={`Remove ${name}`}>
              Remove…
            </Button>
          }
          title={`Remove ${name}?`}
          word="Remove"
          done={`${name} is removed`}
          act={remove}
          input={{ channelId }}
        >
          Nothing is told there any more, and its address is forgotten. The log of what was delivered stays.
        </Confirm>
      </span>
      <Refusal failure={testing.failure ?? changing.failure} />
    </>
  );
}

/** What may change. Another address is another channel: secrets are only ever written. */
function ChangeDialog({ channel, change }: Pick<ActsProps, "channel" | "change">) {
  const { id: channelId, name, kind, minSeverity, sendResolved, config } = channel;
  const inputOf = (data: FormData): ChannelUpdate => ({
    channelId,
    minSeverity: SEVERITIES.find((severity) => severity === data.get("minSeverity")) ?? minSeverity,
    sendResolved: data.get("sendResolved") === "true",
    digests: digestsIn(data),
  });
  return (
    <FormDialog
      trigger={
        <Button size="small" look="ghost" aria-label={`Change what ${name} is told`}>
          Change…
        </Button>
      }
      title={`What ${name} is told`}
      about="Its address cannot be read here; for another one, add a channel and remove this."
      word="Save"
      act={(data: FormData) => change(inputOf(data))}
      fields={["minSeverity"]}
      onDone={() => toast("ok", `${name} is changed`)}
    >
      {(failure) => (
        <>
          <SelectField
            label="Is told"
            name="minSeverity"
            defaultValue={minSeverity}
            error={failure?.fields.minSeverity}
          >
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {LEAST_WORDS[severity]}
              </option>
            ))}
          </SelectField>
          <SelectField label="When an alert is over" name="sendResolved" defaultValue={String(sendResolved)}>
            <option value="true">tell that too</option>
            <option value="false">say nothing</option>
          </SelectField>
          {kind !== "pagerduty" && <DigestChoice chosen={config.digests} />}
        </>
      )}
    </FormDialog>
  );
}
