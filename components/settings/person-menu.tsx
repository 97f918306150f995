"use client";

import { Button } from "@/components/ui/button";
import { SelectField, TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { ROLE_NAMES, ROLES } from "@/lib/domain/access";
import type { PersonRow } from "@/lib/domain/people";
import { Confirm } from "./confirm";
import { FormDialog } from "./form-dialog";
import type { Act } from "./use-act";

export type PersonActs = {
  change: Act<FormData, { id: string }>;
  disable: Act<{ userId: string; isDisabled: boolean }, { id: string }>;
  setPassword: Act<FormData, { id: string }>;
  signOutEverywhere: Act<{ userId: string }, { ended: number }>;
};

/** What an admin may do about an account. */
export function PersonMenu({
  person,
  change,
  disable,
  setPassword,
  signOutEverywhere,
  hasPasswords,
}: PersonActs & { person: PersonRow; hasPasswords: boolean }) {
  const { id: userId, name } = person;
  if (person.isDisabled) {
    return (
      <span className="row-actions">
        <Confirm
          trigger={
            <Button size="small" look="ghost" aria-label={`Enable ${name}`}>
              Enable…
            </Button>
          }
          title={`Enable ${name}?`}
          word="Enable"
          done={`${name} may sign in again`}
          act={disable}
          input={{ userId, isDisabled: false }}
        >
          They may sign in again, as {ROLE_NAMES[person.role].toLowerCase()}, as they did before.
        </Confirm>
      </span>
    );
  }
  return (
    <span className="row-actions">
      <FormDialog
        trigger={
          <Button size="small" look="ghost" aria-label={`Change the role of ${name}`}>
            Role…
          </Button>
        }
        title={`Role of ${name}`}
        about="It holds from the next request on. Their sessions end, so they sign in again."
        word="Change"
        act={change}
        fields={["role"]}
        hidden={{ userId }}
        onDone={() => toast("ok", `The role of ${name} is changed`)}
      >
        {(failure) => (
          <SelectField label="Role" name="role" defaultValue={person.role} error={failure?.fields.role}>
            {ROLES.map((role) => (
              <option key={role} value={role}>
                {ROLE_NAMES[role]}
              </option>
            ))}
          </SelectField>
        )}
      </FormDialog>
      {hasPasswords && (
        <FormDialog
          trigger={
            <Button size="small" look="ghost" aria-label={`Set a password for ${name}`}>
              Password…
            </Button>
          }
          title={`New password for ${name}`}
          about="For somebody who forgot theirs. All their sessions end; hand the password over in person and let them change it."
          word="Set"
          act={setPassword}
          fields={["password"]}
          hidden={{ userId }}
          onDone={() => toast("ok", `${name} has a new password`)}
        >
          {(failure) => (
            <TextField
              label="New password"
              name="password"
              type="password"
              autoComplete="new-password"
              required
              minLength={12}
              maxLength={128}
              hint="At least 12 characters"
              error={failure?.fields.password}
            />
          )}
        </FormDialog>
      )}
      <Confirm
        trigger={
          <Button size="small" look="ghost" aria-label={`Sign ${name} out everywhere`}>
            Sign out…
          </Button>
        }
        title={`Sign ${name} out everywhere?`}
        word="Sign out"
        done={`${name} is signed out everywhere`}
        act={signOutEverywhere}
        input={{ userId }}
      >
        Every session of theirs ends at once, also copies of their cookie. They may sign in again.
      </Confirm>
      <Confirm
        trigger={
          <Button size="small" look="ghost" aria-label={`Disable ${name}`}>
            Disable…
          </Button>
        }
        title={`Disable ${name}?`}
        word="Disable"
        done={`${name} is disabled`}
        act={disable}
        input={{ userId, isDisabled: true }}
      >
        Their sessions end at once and they cannot sign in. What they did stays in Activity under their name; tokens
        they made go on working until they are revoked.
      </Confirm>
    </span>
  );
}
