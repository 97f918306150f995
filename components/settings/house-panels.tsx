"use client";

import { useLive } from "@/components/page/use-live";
import { CodeLine } from "@/components/ui/code";
import { Note } from "@/components/ui/note";
import { Facts } from "@/components/ui/page";
import { Panel, type Span } from "@/components/ui/panel";
import { Status } from "@/components/ui/status";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import { formatCount } from "@/lib/domain/format";
import { houseQuery } from "@/lib/queries/settings";
import { mebibytes } from "./retention-panel";

const LATE_MS = 26 * 3_600_000;
const SHOWN = 5;

/** The nightly backups: how old the newest is, and how to bring one back. */
export function BackupPanel({ span }: { span?: Span }) {
  const { data } = useLive(houseQuery());
  const { folder, keepDays, kept } = data.backups;
  const [newest] = kept;
  const isLate = keepDays > 0 && (!newest || data.now - newest.madeAt > LATE_MS);
  return (
    <Panel
      title="Backup"
      sub={keepDays === 0 ? "switched off" : `one a day, kept for ${formatCount(keepDays, "day")}`}
      {...(span && { span })}
    >
      <div className="grid gap-3">
        {keepDays === 0 && (
          <Note tone="warn">
            <b>Off</b> (BACKUP_KEEP_DAYS=0). Ledger, intents and audit trail exist nowhere else.
          </Note>
        )}
        {isLate && (
          <Note tone="warn">
            <b>{newest ? "The newest is more than a day old." : "None yet."}</b> The worker makes one a day; see its job
            “keep-backups”.
          </Note>
        )}
        {newest && (
          <p>
            <b className="text-20 font-medium">
              <Age at={newest.madeAt} />
            </b>
          </p>
        )}
        <Facts
          rows={[
            [
              "Folder",
              <span key="folder" className="mono">
                {folder}
              </span>,
            ],
            ...kept
              .slice(0, SHOWN)
              .map(({ name, bytes }) => [<span key={name}>{name}</span>, mebibytes(bytes)] as const),
            ...(kept.length > SHOWN ? [["Older", formatCount(kept.length - SHOWN, "more file")] as const] : []),
          ]}
        />
        <div className="grid gap-1">
          <p className="field-label">To bring one back, into an empty database</p>
          <CodeLine
            text={`npx --no-install hopperdeck restore ${folder}/${newest?.name ?? "FILE"}`}
            what="restore command"
          />
          <p className="field-hint">
            Start with another DATA_DIR or DATABASE_URL first: a database that holds anything is refused. Raw samples
            are not in the nightly file; the hours are. Channel addresses are entered again unless SECRETS_KEY is the
            same.
          </p>
        </div>
      </div>
    </Panel>
  );
}

/** What runs here. */
export function AboutPanel({ span }: { span?: Span }) {
  const { data } = useLive(houseQuery());
  const { database } = data;
  return (
    <Panel title="About" {...(span && { span })}>
      <Facts
        rows={[
          ["Hopperdeck", data.version],
          ["Fleet", data.mode === "demo" ? "demo, on a simulated cloud" : "real"],
          ["PostgreSQL", database.version],
          ["Database", mebibytes(database.bytes)],
          ["Migrations", String(database.migrations)],
        ]}
      />
      <p className="muted pt-2 text-12">
        For programs: <span className="mono">/api/health</span> without a sign-in,{" "}
        <span className="mono">/metrics</span> for Prometheus and <span className="mono">/api/v1</span> with an API
        token.
      </p>
    </Panel>
  );
}

/** The worker's jobs: the heartbeat behind everything that happens when nobody is looking. */
export function JobsPanel({ span }: { span?: Span }) {
  const { data } = useLive(houseQuery());
  const failing = data.jobs.filter((job) => job.error !== null).length;
  return (
    <Panel
      title="Worker"
      sub={failing === 0 ? "all jobs well" : `${formatCount(failing, "job")} failing`}
      isFlush
      {...(span && { span })}
    >
      {data.jobs.length === 0 ? (
        <p className="muted panel-words">The worker has not begun anything yet.</p>
      ) : (
        <Table label="Jobs of the worker" isDense>
          <thead>
            <tr>
              <th scope="col">Job</th>
              <th scope="col" className="num">
                Last began
              </th>
              <th scope="col">Last run</th>
            </tr>
          </thead>
          <tbody>
            {data.jobs.map((job) => (
              <tr key={job.name}>
                <th scope="row" className="font-normal">
                  {job.name}
                </th>
                <td className="num">{job.startedAt === null ? "never" : <Age at={job.startedAt} />}</td>
                <td className="is-wrapping">
                  {job.error === null ? <Status of="pass">Well</Status> : <Status of="mismatch">{job.error}</Status>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Panel>
  );
}
