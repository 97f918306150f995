"use client";

import { useQueryClient } from "@tanstack/react-query";
import type { Route } from "next";
import { useTransition } from "react";
import { Button, ButtonLink } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age, Instant } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { WatchedRow } from "@/lib/domain/intents/queue";
import type { Result } from "@/lib/errors";

type Adopt = (input: { intentId: string; instanceId: string }) => Promise<Result<{ id: string }>>;
type Props = { rows: readonly WatchedRow[] /** Null: this person may not launch. */; adopt: Adopt | null };

/** Launches that nobody answered and that left no trace: for a day, a machine with their mark is theirs. */
export function WatchTable({ rows, adopt }: Props) {
  return (
    <Panel span={12} title="On watch" sub="launches without an answer, for a day" isFlush>
      <Table label="Launches on watch">
        <thead>
          <tr>
            <th scope="col">Launch</th>
            <th scope="col">Sent</th>
            <th scope="col">Watched until</th>
            <th scope="col">Would adopt</th>
            <th scope="col">Could be it</th>
            <th scope="col">
              <span className="sr-only">Launch anew</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Link className="name-link" href={`/launch/${row.id}` as Route}>
                  {row.name}
                </Link>
                <span className="block text-12 font-normal text-text-2">
                  <span className="mono">{row.typeName}</span> in {row.region}, asked by {row.by}
                </span>
              </th>
              <td>{row.sentAt === null ? <span className="muted">not known</span> : <Age at={row.sentAt} isBare />}</td>
              <td>
                <Instant at={row.watchUntil} />
              </td>
              <td className="min-w-56 whitespace-normal">
                a machine of this name, or with the tag <span className="mono break-all text-12">{row.tag}</span>
              </td>
              <td className="min-w-48 whitespace-normal">
                {row.candidates.length === 0 ? (
                  <span className="muted">none: no machine of its type came since</span>
                ) : (
                  row.candidates.map((one) => <Candidate key={one.id} intentId={row.id} machine={one} adopt={adopt} />)
                )}
              </td>
              <td className="num">
                {adopt && (
                  <ButtonLink size="small" href={`/launch?again=${row.id}` as Route}>
                    Make a new one
                  </ButtonLink>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

type CandidateProps = { intentId: string; machine: WatchedRow["candidates"][number]; adopt: Adopt | null };

function Candidate({ intentId, machine, adopt }: CandidateProps) {
  const client = useQueryClient();
  const [isPending, start] = useTransition();
  const take = () =>
    start(async () => {
      const result = await adopt?.({ intentId, instanceId: machine.id });
      if (result && !result.ok) toast("crit", "Not adopted", result.error.message);
      if (result?.ok) toast("ok", "Adopted", `${machine.name} is the machine of this launch.`);
      await client.invalidateQueries({ queryKey: ["intents"] });
    });
  return (
    <span className="flex items-center gap-2">
      <Link className="name-link" href={`/fleet/${machine.id}` as Route}>
        {machine.name}
      </Link>
      <span className="text-12 text-text-2">
        {machine.launchedBy === null ? "by nobody known" : `by ${machine.launchedBy}`}
      </span>
      {adopt && (
        <Button
          size="small"
          isPending={isPending}
          onClick={take}
          aria-label={`${machine.name} is this launch’s machine`}
        >
          It is this one
        </Button>
      )}
    </span>
  );
}
