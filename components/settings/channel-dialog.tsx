"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import type { z } from "zod";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { CodeLine } from "@/components/ui/code";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import {
  CHANNEL_KINDS,
  CHANNEL_WORDS,
  type ChannelKind,
  DIGESTS,
  type Digest,
  type NewChannel,
} from "@/lib/domain/alerts/channels";
import { SEVERITIES, type Severity } from "@/lib/domain/alerts/types";
import type { Failure } from "@/lib/errors";
import { FormDialog } from "./form-dialog";
import type { Act } from "./use-act";

export const LEAST_WORDS: Record<Severity, string> = {
  info: "all alerts",
  warning: "warnings and up",
  critical: "critical only",
};

export const DIGEST_WORDS: Record<Digest, string> = {
  daily: "every day",
  weekly: "every Monday",
  month_end: "at month end",
};

const FIELDS = ["kind", "name", "url", "routingKey", "region", "from", "to", "digests", "minSeverity"] as const;

const ABOUT: Record<ChannelKind, string> = {
  slack: "Slack, Mattermost, Rocket.Chat: an incoming webhook, with a link that acknowledges.",
  pagerduty: "One incident per group; it is acknowledged and resolved along with the alerts.",
  email: "Through your own mail server, with a link that acknowledges.",
  webhook: "JSON to any program, signed, so that the receiver knows who sent it.",
};

type Made = { id: string; signingSecret: string | null };
export type CreateChannel = Act<z.input<typeof NewChannel>, Made>;

/** A new place to which alerts are told. Secrets go in and never come out again. */
export function ChannelDialog({ create }: { create: CreateChannel }) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={Plus}>
          New channel
        </Button>
      }
      title="New channel"
      about="Addresses and keys are kept encrypted and never shown again."
      word="Add"
      act={(data: FormData) => create(inputOf(data))}
      fields={FIELDS}
      outcome={(made) => <Outcome made={made} />}
    >
      {(failure) => <Fields failure={failure} />}
    </FormDialog>
  );
}

function inputOf(data: FormData): z.input<typeof NewChannel> {
  const text = (field: string) => String(data.get(field) ?? "");
  return {
    kind: CHANNEL_KINDS.find((kind) => kind === text("kind")) ?? "slack",
    name: text("name"),
    url: text("url"),
    routingKey: text("routingKey"),
    region: text("region") === "eu" ? "eu" : "us",
    from: text("from"),
    to: text("to"),
    digests: digestsIn(data),
    minSeverity: SEVERITIES.find((severity) => severity === text("minSeverity")) ?? "warning",
    sendResolved: text("sendResolved") === "true",
  };
}

export function digestsIn(data: FormData): Digest[] {
  const chosen = data.getAll("digests");
  return DIGESTS.filter((digest) => chosen.includes(digest));
}

function Fields({ failure }: { failure: Failure | null }) {
  const [kind, setKind] = useState<ChannelKind>("slack");
  const wrong = failure?.fields;
  return (
    <>
      <SelectField
        label="Kind"
        name="kind"
        value={kind}
        onChange={(event) => setKind(CHANNEL_KINDS.find((one) => one === event.target.value) ?? "slack")}
        hint={ABOUT[kind]}
        error={wrong?.kind}
      >
        {CHANNEL_KINDS.map((one) => (
          <option key={one} value={one}>
            {CHANNEL_WORDS[one]}
          </option>
        ))}
      </SelectField>
      <TextField label="Name" name="name" required maxLength={80} placeholder="gpu-oncall" error={wrong?.name} />
      {/* Another kind starts with empty fields: a Slack address must not stay behind as a mail server. */}
      <Target key={kind} kind={kind} wrong={wrong} />
      <SelectField label="Is told" name="minSeverity" defaultValue="warning" error={wrong?.minSeverity}>
        {SEVERITIES.map((severity) => (
          <option key={severity} value={severity}>
            {LEAST_WORDS[severity]}
          </option>
        ))}
      </SelectField>
      <SelectField label="When an alert is over" name="sendResolved" defaultValue="true">
        <option value="true">tell that too</option>
        <option value="false">say nothing</option>
      </SelectField>
      {kind !== "pagerduty" && <DigestChoice chosen={[]} />}
    </>
  );
}

function Target({ kind, wrong }: { kind: ChannelKind; wrong: Failure["fields"] | undefined }) {
  if (kind === "pagerduty")
    return (
      <>
        <TextField
          label="Integration key"
          name="routingKey"
          type="password"
          autoComplete="off"
          required
          maxLength={100}
          className="mono"
          hint="Of an “Events API v2” integration of the service. A secret."
          error={wrong?.routingKey}
        />
        <SelectField label="Service region" name="region" defaultValue="us" error={wrong?.region}>
          <option value="us">United States (events.pagerduty.com)</option>
          <option value="eu">European Union (events.eu.pagerduty.com)</option>
        </SelectField>
      </>
    );
  if (kind === "email")
    return (
      <>
        <TextField
          label="Mail server"
          name="url"
          type="password"
          autoComplete="off"
          required
          maxLength={2_000}
          className="mono"
          placeholder="smtps://user:password@mail.example.com:465"
          hint="smtps:// is encrypted from the start; smtp:// where the server offers it. A secret."
          error={wrong?.url}
        />
        <TextField
          label="From"
          name="from"
          type="email"
          required
          maxLength={200}
          placeholder="hopperdeck@example.com"
          error={wrong?.from}
        />
        <TextField
          label="To"
          name="to"
          required
          maxLength={4_000}
          placeholder="oncall@example.com, ml-team@example.com"
          hint="Up to 20, separated by commas."
          error={wrong?.to ?? firstOf(wrong, "to.")}
        />
      </>
    );
  return (
    <TextField
      label="Address"
      name="url"
      type="url"
      required
      maxLength={2_000}
      placeholder={kind === "slack" ? "https://hooks.slack.com/services/…" : "https://example.com/alerts"}
      hint={
        kind === "slack"
          ? "A secret: whoever has it can post."
          : "The secret to check its signature is shown afterwards."
      }
      error={wrong?.url}
    />
  );
}

function firstOf(fields: Failure["fields"] | undefined, start: string): string | undefined {
  return Object.entries(fields ?? {}).find(([field]) => field.startsWith(start))?.[1];
}

/** Which cost digests a channel gets. */
export function DigestChoice({ chosen }: { chosen: readonly Digest[] }) {
  return (
    <fieldset className="grid gap-1">
      <legend className="field-label">Cost digests</legend>
      <div className="silence-days">
        {DIGESTS.map((digest) => (
          <Checkbox
            key={digest}
            name="digests"
            value={digest}
            label={DIGEST_WORDS[digest]}
            defaultChecked={chosen.includes(digest)}
          />
        ))}
      </div>
      <p className="field-hint">At 07:00 in the accounting time zone, with the figures of the cost page.</p>
    </fieldset>
  );
}

function Outcome({ made: { signingSecret } }: { made: Made }) {
  if (signingSecret === null)
    return (
      <Note tone="ok">
        <b>The channel is added.</b> Send a test message to see that it arrives.
      </Note>
    );
  return (
    <div className="grid gap-3">
      <Note tone="warn">
        <b>Copy the signing secret now.</b> It is kept encrypted and never shown again.
      </Note>
      <CodeLine text={signingSecret} what="signing secret" />
      <div className="grid gap-1 text-text-2">
        <p className="field-label">How the receiver checks a message</p>
        <ol className="steps-list">
          <li>
            Take the header <span className="mono">Hopperdeck-Timestamp</span>; refuse what is older than five minutes.
          </li>
          <li>Compute HMAC-SHA256 with this secret over the timestamp, a dot and the body as it came.</li>
          <li>
            Compare <span className="mono">v1=</span> and the result in hex with{" "}
            <span className="mono">Hopperdeck-Signature</span>, in constant time.
          </li>
          <li>
            Drop what comes twice with the same <span className="mono">Idempotency-Key</span>.
          </li>
        </ol>
      </div>
    </div>
  );
}
