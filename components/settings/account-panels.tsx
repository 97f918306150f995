"use client";

import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Facts } from "@/components/ui/page";
import { Panel, type Span } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age, Instant } from "@/components/ui/time";
import { deviceName } from "@/lib/domain/device";
import { sessionsQuery } from "@/lib/queries/settings";
import { Confirm } from "./confirm";
import { Refusal } from "./refusal";
import { SettingForm } from "./setting-form";
import { type Act, useAct } from "./use-act";

type SessionsProps = {
  end: Act<{ sessionId: string }, { id: string }>;
  endOthers: Act<Record<string, never>, { ended: number }>;
  span?: Span;
};

/** Where the person who looks is signed in. */
export function SessionsPanel({ end, endOthers, span }: SessionsProps) {
  const { data } = useLive(sessionsQuery());
  const { run, failure, isPending } = useAct(end);
  const others = data.sessions.filter((session) => !session.isThis).length;
  return (
    <Panel
      title="Signed in"
      sub="browsers that speak for you"
      actions={
        others > 0 && (
          <Confirm
            trigger={<Button size="small">Sign out everywhere else…</Button>}
            title="Sign out everywhere else?"
            word="Sign out"
            done="You are signed out everywhere else"
            act={endOthers}
            input={{}}
          >
            Every other session of yours ends at once. This one stays.
          </Confirm>
        )
      }
      isFlush
      {...(span && { span })}
    >
      <Table label="Your sessions">
        <thead>
          <tr>
            <th scope="col">Browser</th>
            <th scope="col">Address</th>
            <th scope="col" className="num">
              Signed in
            </th>
            <th scope="col" className="num">
              Last used
            </th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.sessions.map((session) => (
            <tr key={session.id}>
              <th scope="row" className="font-medium">
                {deviceName(session.userAgent)} {session.isThis && <Badge tone="plain">This one</Badge>}
              </th>
              <td className="mono">{session.ip ?? "unknown"}</td>
              <td className="num">
                <Instant at={session.signedInAt} />
              </td>
              <td className="num">
                <Age at={session.lastSeenAt} />
              </td>
              <td>
                {!session.isThis && (
                  <span className="row-actions">
                    <Button
                      size="small"
                      look="ghost"
                      isPending={isPending}
                      onClick={() => run({ sessionId: session.id })}
                    >
                      Sign out
                    </Button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
      {failure && (
        <div className="panel-words">
          <Refusal failure={failure} />
        </div>
      )}
    </Panel>
  );
}

type PasswordProps = { act: Act<FormData, { ended: number }>; span?: Span };

/** One's own password. */
export function PasswordPanel({ act, span }: PasswordProps) {
  const { data } = useLive(sessionsQuery());
  if (!data.hasPassword) return null;
  return (
    <Panel title="Password" sub="your other sessions end with the old one" {...(span && { span })}>
      <SettingForm act={act} locked={null} fields={["current", "password"]} done="Your password is changed" isCleared>
        {(failure) => (
          <>
            <TextField
              label="Current password"
              name="current"
              type="password"
              autoComplete="current-password"
              required
              maxLength={200}
              error={failure?.fields.current}
            />
            <TextField
              label="New password"
              name="password"
              type="password"
              autoComplete="new-password"
              required
              minLength={12}
              maxLength={128}
              hint="At least 12 characters; a sentence is good."
              error={failure?.fields.password}
            />
          </>
        )}
      </SettingForm>
    </Panel>
  );
}

/** Who the person is here. */
export function MePanel({ name, email, role, span }: { name: string; email: string; role: string; span?: Span }) {
  return (
    <Panel title="You" {...(span && { span })}>
      <Facts
        rows={[
          ["Name", name],
          ["E-mail", email],
          ["Role", role],
        ]}
      />
      <p className="muted pt-2 text-12">An admin can change your role.</p>
    </Panel>
  );
}
