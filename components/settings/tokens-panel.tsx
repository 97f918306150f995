"use client";

import type { ReactNode } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age, Instant } from "@/components/ui/time";
import { ROLE_NAMES } from "@/lib/domain/access";
import { isWallboard, type TokenRow } from "@/lib/domain/tokens";
import { tokensQuery } from "@/lib/queries/settings";
import { Confirm } from "./confirm";
import { type Made, NewApiToken, NewIngestToken, NewWallboard } from "./new-token";
import type { Act } from "./use-act";

const SOON_MS = 14 * 24 * 3_600_000;
const YEAR_MS = 365 * 24 * 3_600_000;

type Revoke = Act<{ tokenId: string }, { id: string }>;
type Props = { create: Act<FormData, Made>; revoke: Revoke; lockedIngest: string | null; lockedApi: string | null };

/** The credentials of agents and of programs. */
export function TokensPanel({ create, revoke, lockedIngest, lockedApi }: Props) {
  const { data } = useLive(tokensQuery());
  const ingest = data.tokens.filter((token) => token.kind === "ingest");
  const walls = data.tokens.filter((token) => token.kind === "api" && isWallboard(token));
  const api = data.tokens.filter((token) => token.kind === "api" && !isWallboard(token));
  return (
    <>
      <Panel
        title="Ingest tokens"
        sub="write samples and nothing else; instances launched here each have their own besides"
        actions={lockedIngest === null && <NewIngestToken create={create} />}
        span={12}
        isFlush
      >
        <Tokens
          label="Ingest tokens"
          rows={ingest}
          now={data.now}
          revoke={lockedIngest === null ? revoke : null}
          empty="None. Make one to install the agent on a machine that was not launched here; it comes with the line to paste."
        />
        {lockedIngest !== null && <p className="muted panel-words">{lockedIngest}</p>}
      </Panel>
      <Panel
        title="API tokens"
        sub="for programs, on /api/v1 and /metrics; each may do what its role may, within its scopes"
        actions={lockedApi === null && <NewApiToken create={create} />}
        span={12}
        isFlush
      >
        <Tokens
          label="API tokens"
          rows={api}
          now={data.now}
          revoke={lockedApi === null ? revoke : null}
          empty="None. Programs need one to read /api/v1 and /metrics."
        />
        {lockedApi !== null && <p className="muted panel-words">{lockedApi}</p>}
      </Panel>
      <Panel
        title="Wallboards"
        sub="links for a screen on the wall: they show the fleet, what fires and what burns, and can do nothing"
        actions={lockedApi === null && <NewWallboard create={create} />}
        span={12}
        isFlush
      >
        <Tokens
          label="Wallboards"
          rows={walls}
          now={data.now}
          revoke={lockedApi === null ? revoke : null}
          empty="None. The link opens without a sign-in on whichever screen it is opened; revoke it here."
        />
      </Panel>
    </>
  );
}

type TokensProps = { label: string; rows: TokenRow[]; now: number; revoke: Revoke | null; empty: ReactNode };

function Tokens({ label, rows, now, revoke, empty }: TokensProps) {
  if (rows.length === 0) return <p className="muted panel-words">{empty}</p>;
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Begins with</th>
          <th scope="col">May</th>
          <th scope="col">By</th>
          <th scope="col" className="num">
            Last used
          </th>
          <th scope="col" className="num">
            Ends
          </th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((token) => (
          <tr key={token.id}>
            <th scope="row" className="font-medium">
              {token.name}
            </th>
            <td className="mono">{token.hint}</td>
            <td>
              <May token={token} />
            </td>
            <td>{token.by}</td>
            <td className="num">
              {token.lastUsedAt === null ? <span className="muted">never</span> : <Age at={token.lastUsedAt} />}
            </td>
            <td className="num">
              <Ends at={token.expiresAt} now={now} />
            </td>
            <td>{revoke && <RevokeDialog token={token} revoke={revoke} />}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function May({ token }: { token: TokenRow }) {
  if (token.role === null) return "write samples";
  if (isWallboard(token)) return "see the wallboard";
  const role = `as ${ROLE_NAMES[token.role].toLowerCase()}`;
  if (token.scopes.length === 0) return role;
  return (
    <span title={token.scopes.join(", ")}>
      {role}, <span className="mono">{token.scopes.slice(0, 2).join(", ")}</span>
      {token.scopes.length > 2 && ` and ${token.scopes.length - 2} more`}
    </span>
  );
}

function Ends({ at, now }: { at: number | null; now: number }) {
  if (at === null) return <span className="muted">when revoked</span>;
  if (at <= now) return <span className="text-crit">has ended</span>;
  return (
    <span className={at - now < SOON_MS ? "text-warn" : undefined}>
      <Instant at={at} year={at - now > YEAR_MS / 2} />
    </span>
  );
}

function RevokeDialog({ token, revoke }: { token: TokenRow; revoke: Revoke }) {
  return (
    <span className="row-actions">
      <Confirm
        trigger={
          <Button size="small" look="ghost" aria-label={`Revoke ${token.name}`}>
            Revoke…
          </Button>
        }
        title={`Revoke ${token.name}?`}
        word="Revoke"
        done={`${token.name} is revoked`}
        act={revoke}
        input={{ tokenId: token.id }}
      >
        {token.kind === "ingest"
          ? "It is refused from the next request on. Agents that use it keep their samples on disk for a while; install them again with another token to go on."
          : "It is refused from the next request on. Programs that use it stop working."}{" "}
        This cannot be taken back.
      </Confirm>
    </span>
  );
}
