"use client";

import { UserPlus } from "lucide-react";
import { useLive } from "@/components/page/use-live";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CodeLine } from "@/components/ui/code";
import { SelectField, TextField } from "@/components/ui/field";
import { Note } from "@/components/ui/note";
import { Panel, type Span } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age, Instant } from "@/components/ui/time";
import { ROLE_NAMES, ROLES } from "@/lib/domain/access";
import { formatCount } from "@/lib/domain/format";
import type { InviteRow, PersonRow } from "@/lib/domain/people";
import { peopleQuery } from "@/lib/queries/settings";
import { Confirm } from "./confirm";
import { FormDialog } from "./form-dialog";
import { type PersonActs, PersonMenu } from "./person-menu";
import type { Act } from "./use-act";

type Props = PersonActs & {
  invite: Act<FormData, { url: string; expiresAt: number }>;
  revoke: Act<{ tokenId: string }, { id: string }>;
  /** Why this person may not change accounts; null where they may. */
  locked: string | null;
  span?: Span;
};

/** Who has an account, with which role, and who is invited. */
export function PeoplePanel({ invite, revoke, locked, span, ...acts }: Props) {
  const { data } = useLive(peopleQuery());
  const counts = [
    formatCount(data.people.length, "account"),
    ...(data.invites.length > 0 ? [`${formatCount(data.invites.length, "invitation")} open`] : []),
  ].join(", ");
  return (
    <Panel
      title="People"
      sub={counts}
      actions={locked === null && data.canInvite && <InviteDialog invite={invite} />}
      isFlush
      {...(span && { span })}
    >
      <Table label="People">
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Role</th>
            <th scope="col" className="num">
              Last seen
            </th>
            <th scope="col">E-mail</th>
            <th scope="col">Signs in with</th>
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.people.map((person) => (
            <tr key={person.id}>
              <th scope="row" className="font-medium">
                {person.name}
                {person.isMe && <span className="muted font-normal"> (you)</span>}
                {person.isGlass && (
                  <Badge tone="warn" className="ml-2">
                    Break-glass
                  </Badge>
                )}
              </th>
              <td>{person.isDisabled ? <Badge tone="mute">Disabled</Badge> : ROLE_NAMES[person.role]}</td>
              <td className="num">
                {person.lastSeenAt === null ? <span className="muted">never</span> : <Age at={person.lastSeenAt} />}
              </td>
              <td>{person.email}</td>
              <td>
                <SignsInWith person={person} provider={data.provider?.name ?? null} />
              </td>
              <td>{locked === null && <PersonMenu person={person} hasPasswords={data.canInvite} {...acts} />}</td>
            </tr>
          ))}
          {data.invites.map((one) => (
            <InviteLine key={one.id} invite={one} revoke={locked === null ? revoke : null} />
          ))}
        </tbody>
      </Table>
      {locked !== null && <p className="muted panel-words">{locked}</p>}
      {locked === null && !data.canInvite && (
        <p className="muted panel-words">
          Signing in with a password is switched off, so nobody is invited here: accounts come with their first sign-in.
        </p>
      )}
    </Panel>
  );
}

function SignsInWith({ person, provider }: { person: PersonRow; provider: string | null }) {
  const ways = [
    ...(person.isLinked ? [provider ?? "an identity provider"] : []),
    ...(person.hasPassword ? ["a password"] : []),
    ...(person.isOneClick ? ["one click, demo"] : []),
  ];
  return ways.length > 0 ? ways.join(", ") : <span className="muted">nothing yet</span>;
}

function InviteLine({ invite, revoke }: { invite: InviteRow; revoke: Props["revoke"] | null }) {
  return (
    <tr>
      <th scope="row" className="font-normal">
        <span className="muted">Invitation: {invite.note}</span>
      </th>
      <td>{ROLE_NAMES[invite.role]}</td>
      <td className="num text-warn">
        ends <Instant at={invite.expiresAt} />
      </td>
      <td className="muted">by {invite.by}</td>
      <td />
      <td>
        {revoke && (
          <span className="row-actions">
            <Confirm
              trigger={
                <Button size="small" look="ghost" aria-label={`Take back the invitation: ${invite.note}`}>
                  Take back…
                </Button>
              }
              title="Take back this invitation?"
              word="Take back"
              done="The invitation is worth nothing any more"
              act={revoke}
              input={{ tokenId: invite.id }}
            >
              Its link stops working at once. Accounts that exist are not touched.
            </Confirm>
          </span>
        )}
      </td>
    </tr>
  );
}

function InviteDialog({ invite }: { invite: Props["invite"] }) {
  return (
    <FormDialog
      trigger={
        <Button size="small" icon={UserPlus}>
          Invite
        </Button>
      }
      title="Invite somebody"
      about="You get a link that makes one account with this role. It works once, for 24 hours; hand it over yourself."
      word="Make the link"
      act={invite}
      fields={["role", "name"]}
      outcome={({ url, expiresAt }) => (
        <div className="grid gap-3">
          <Note tone="warn">
            <b>Copy it now.</b> It is shown once. Whoever opens it first gets the account; it ends{" "}
            <Instant at={expiresAt} />.
          </Note>
          <CodeLine text={url} what="invitation link" />
        </div>
      )}
    >
      {(failure) => (
        <>
          <SelectField label="Role" name="role" defaultValue="viewer" error={failure?.fields.role}>
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {ROLE_NAMES[role]}
              </option>
            ))}
          </SelectField>
          <TextField
            label="For whom"
            name="name"
            maxLength={120}
            placeholder="Ada, platform team"
            hint="A note for this list; they choose their own name."
            error={failure?.fields.name}
          />
        </>
      )}
    </FormDialog>
  );
}
