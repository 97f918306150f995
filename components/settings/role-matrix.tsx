import { Check, Minus } from "lucide-react";
import { Panel, type Span } from "@/components/ui/panel";
import { GroupRow, Table } from "@/components/ui/table";
import { type Grant, PERMISSIONS, ROLE_NAMES, ROLES, type Role } from "@/lib/domain/access";
import { matrixGroups } from "@/lib/domain/access-matrix";

/** The table that the server asks, as a page. */
export function RoleMatrix({ span }: { span?: Span }) {
  return (
    <Panel title="What each role may do" sub="the server asks the same table" isFlush {...(span && { span })}>
      <Table label="What each role may do" isDense className="role-matrix">
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Right</span>
            </th>
            {ROLES.map((role) => (
              <th key={role} scope="col">
                {ROLE_NAMES[role]}
              </th>
            ))}
          </tr>
        </thead>
        {matrixGroups().map(({ title, rights }) => (
          <tbody key={title}>
            <GroupRow title={title} columns={ROLES.length + 1} />
            {rights.map((right) => (
              <Row key={right} label={PERMISSIONS[right].label} grant={PERMISSIONS[right]} />
            ))}
            {title === "House" && <Row label="Edit the audit trail" grant={{ label: "", roles: [] }} />}
          </tbody>
        ))}
      </Table>
      <p className="muted panel-words">
        “Sign in”: asks for a sign-in of the last 10 minutes. “Name typed”: the instance’s name, as a confirmation. “If
        firing”: one instance at a time, that a firing alert names. “Launches”: approves launches, not terminations.
        “Money”: the rows about money. “People only”: no API token has it, whatever its role. The last admin cannot be
        removed.
      </p>
    </Panel>
  );
}

function Row({ label, grant }: { label: string; grant: Grant }) {
  return (
    <tr>
      <th scope="row">
        {label}
        {grant.isForPeople && <span className="muted"> · people only</span>}
      </th>
      {ROLES.map((role) => (
        <td key={role}>
          <Cell grant={grant} role={role} />
        </td>
      ))}
    </tr>
  );
}

function Cell({ grant, role }: { grant: Grant; role: Role }) {
  if (!grant.roles.includes(role)) return <No />;
  const words = [grant.notes?.[role], grant.stepUp?.includes(role) && "sign in"].filter(Boolean).join(", ");
  if (words) return <span className="text-12">{words}</span>;
  return (
    <span className="inline-flex align-middle text-ok">
      <Check size={14} aria-hidden="true" />
      <span className="sr-only">yes</span>
    </span>
  );
}

function No() {
  return (
    <span className="inline-flex align-middle text-text-3">
      <Minus size={14} aria-hidden="true" />
      <span className="sr-only">no</span>
    </span>
  );
}
