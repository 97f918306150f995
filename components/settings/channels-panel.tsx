"use client";

import { Plus, Send } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { Panel, type Span } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { ChannelRow } from "@/lib/domain/alerts/channels";
import { formatNumber } from "@/lib/domain/format";
import { channelsQuery } from "@/lib/queries/settings";
import { Confirm } from "./confirm";
import { FormDialog } from "./form-dialog";
import { Refusal } from "./refusal";
import { type Act, useAct } from "./use-act";

const KIND_NAMES: Record<ChannelRow["kind"], string> = { webhook: "Webhook", slack: "Slack-compatible" };
const LEAST: Record<ChannelRow["minSeverity"], string> = {
  info: "all alerts",
  warning: "warnings and up",
  critical: "critical only",
};

type Props = {
  create: Act<FormData, { id: string }>;
  change: Act<{ channelId: string; enabled: boolean }, { id: string }>;
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
      actions={locked === null && <ChannelDialog create={create} />}
      isFlush
      {...(span && { span })}
    >
      {data.channels.length === 0 ? (
        <p className="muted panel-words">
          None. Alerts stand in the inbox only; add a webhook or a Slack-compatible address to be told elsewhere.
        </p>
      ) : (
        <Table label="Channels">
          <thead>
            <tr>
              <th scope="col">Channel</th>
              <th scope="col">To</th>
              <th scope="col">Is told</th>
              <th scope="col">Last message</th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.channels.map((channel) => (
              <tr key={channel.id}>
                <th scope="row" className="font-normal">
                  <span className="font-medium">{channel.name}</span>{" "}
                  <span className="muted">{KIND_NAMES[channel.kind]}</span>{" "}
                  {!channel.enabled && <Badge tone="mute">Off</Badge>}
                </th>
                <td className="mono">{channel.host}/…</td>
                <td>
                  {LEAST[channel.minSeverity]}
                  {channel.sendResolved && <span className="muted">, and the end</span>}
                </td>
                <td className="is-wrapping">
                  <LastMessage channel={channel} />
                </td>
                <td>{locked === null && <ChannelActs channel={channel} {...{ change, remove, test }} />}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      <p className="muted panel-words">
        {locked ??
          "Addresses are kept encrypted and never shown again. Private networks are called only where OUTBOUND_PRIVATE_CIDRS allows them."}
      </p>
    </Panel>
  );
}

function LastMessage({ channel: { last, isUnreadable } }: { channel: ChannelRow }) {
  if (isUnreadable)
    return (
      <Status of="mismatch">Its address cannot be read: SECRETS_KEY is another one. Remove it and add it again.</Status>
    );
  if (!last) return <span className="muted">none yet</span>;
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

function ChannelDialog({ create }: { create: Props["create"] }) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          New channel
        </Button>
      }
      title="New channel"
      about="Alerts that fire are posted to its address, with a link to the alert."
      word="Add"
      act={create}
      fields={["kind", "name", "url", "minSeverity"]}
      onDone={() => toast("ok", "The channel is added", "Send a test message to see that it arrives.")}
    >
      {(failure) => (
        <>
          <SelectField label="Kind" name="kind" defaultValue="slack" error={failure?.fields.kind}>
            <option value="slack">Slack-compatible address (Slack, Mattermost, Rocket.Chat)</option>
            <option value="webhook">Webhook (JSON)</option>
          </SelectField>
          <TextField
            label="Name"
            name="name"
            required
            maxLength={80}
            placeholder="#gpu-oncall"
            error={failure?.fields.name}
          />
          <TextField
            label="Address"
            name="url"
            type="url"
            required
            maxLength={2000}
            placeholder="https://hooks.slack.com/services/…"
            hint="A secret: whoever has it can post."
            error={failure?.fields.url}
          />
          <SelectField label="Is told" name="minSeverity" defaultValue="warning" error={failure?.fields.minSeverity}>
            {(["info", "warning", "critical"] as const).map((severity) => (
              <option key={severity} value={severity}>
                {LEAST[severity]}
              </option>
            ))}
          </SelectField>
          <SelectField label="When an alert is over" name="sendResolved" defaultValue="true">
            <option value="true">tell that too</option>
            <option value="false">say nothing</option>
          </SelectField>
        </>
      )}
    </FormDialog>
  );
}
