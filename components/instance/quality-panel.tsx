"use client";

import { useLive } from "@/components/page/use-live";
import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { Age } from "@/components/ui/time";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import { formatCount, formatNumber } from "@/lib/domain/format";
import { type GpuQuality, type QualityAnswer, REFUSALS } from "@/lib/domain/telemetry/quality";
import { qualityQuery } from "@/lib/queries/telemetry";

/** How good the last day's samples are: what came late, what they lack and why, what was not stored. */
export function QualityPanel({ question }: { question: InstancePageQuestion }) {
  const { data } = useLive(qualityQuery(question.instanceId));
  if (data.gpus.length === 0) return null;
  return (
    <Panel
      className="is-wide"
      title="Quality of the data"
      sub="samples of the last 24 h; what is missing is never drawn as zero"
    >
      <div className="quality">
        <Sentence data={data} />
        {data.gpus.length > 1 && <GpuRows data={data} />}
        <MissingRows data={data} />
        <RefusedRows data={data} />
      </div>
    </Panel>
  );
}

function Sentence({ data }: { data: QualityAnswer }) {
  const { gpus, expected, dropped } = data;
  const total = (of: (gpu: GpuQuality) => number) => gpus.reduce((sum, gpu) => sum + of(gpu), 0);
  const [samples, late, skewed] = [total((gpu) => gpu.samples), total((gpu) => gpu.late), total((gpu) => gpu.skewed)];
  const lost = dropped.reduce((sum, one) => sum + one.count, 0);
  return (
    <p>
      <b>{formatNumber(samples)}</b> samples of about {formatNumber(expected * gpus.length)} expected.{" "}
      {late === 0 ? "None came late" : `${formatCount(late, "sample")} came late, and no alert judged them live`};{" "}
      {skewed === 0
        ? "none while the sender’s clock was off"
        : `${formatNumber(skewed)} while the sender’s clock was off`}
      .{lost > 0 && ` The sender’s full buffer threw ${formatCount(lost, "sample")} away since it was installed.`}
    </p>
  );
}

/** A GPU of which more than one sample in a hundred is not there, or came late, or with a clock that was off. */
function hasLack(gpu: GpuQuality, expected: number): boolean {
  return gpu.samples < 0.99 * expected || gpu.late > 0 || gpu.skewed > 0;
}

function GpuRows({ data: { gpus, expected } }: { data: QualityAnswer }) {
  const lacking = gpus.filter((gpu) => hasLack(gpu, expected));
  if (lacking.length === 0) return null;
  return (
    <Table label="Samples by GPU" isDense isBare>
      <thead>
        <tr>
          <th scope="col">GPU</th>
          <th scope="col" className="num">
            Samples
          </th>
          <th scope="col" className="num">
            Not there
          </th>
          <th scope="col" className="num">
            Late
          </th>
          <th scope="col" className="num">
            Clock off
          </th>
        </tr>
      </thead>
      <tbody>
        {lacking.map((gpu) => (
          <tr key={gpu.id}>
            <th scope="row">
              {gpu.position}
              {gpu.mig && <span className="muted"> MIG {gpu.mig}</span>}
            </th>
            <td className="num">{formatNumber(gpu.samples)}</td>
            <td className="num">{formatNumber(Math.max(0, expected - gpu.samples))}</td>
            <td className="num">{formatNumber(gpu.late)}</td>
            <td className="num">{formatNumber(gpu.skewed)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

type MissingRow = { key: string; label: string; words: string; count: number; gpus: number };

/** The same metric missing for the same reason, over all GPUs of the machine. */
function missingOf(gpus: readonly GpuQuality[]): MissingRow[] {
  const rows = new Map<string, MissingRow>();
  for (const { metric, reason, label, words, count } of gpus.flatMap((gpu) => gpu.missing)) {
    const key = `${metric} ${reason}`;
    const found = rows.get(key) ?? { key, label, words, count: 0, gpus: 0 };
    rows.set(key, { ...found, count: found.count + count, gpus: found.gpus + 1 });
  }
  return [...rows.values()];
}

function MissingRows({ data: { gpus } }: { data: QualityAnswer }) {
  const rows = missingOf(gpus);
  if (rows.length === 0) return <p className="muted">Every sample has every metric that is asked for.</p>;
  const samples = gpus.reduce((sum, gpu) => sum + gpu.samples, 0);
  const always = rows.filter((row) => row.count === samples);
  const sometimes = rows.filter((row) => row.count < samples);
  return (
    <>
      {sometimes.length > 0 && (
        <Table label="Missing values" isDense isBare>
          <thead>
            <tr>
              <th scope="col">Missing</th>
              <th scope="col">Why</th>
              <th scope="col" className="num">
                Samples
              </th>
            </tr>
          </thead>
          <tbody>
            {sometimes.map((row) => (
              <tr key={row.key}>
                <th scope="row" className="font-normal">
                  {row.label}
                </th>
                <td className="text-text-2">{row.words}</td>
                <td className="num">{formatNumber(row.count)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {always.length > 0 && (
        <p className="muted">Never there: {always.map((row) => `${row.label} (${row.words})`).join("; ")}.</p>
      )}
    </>
  );
}

function RefusedRows({ data }: { data: QualityAnswer }) {
  if (data.rows.length === 0) return <p className="muted">Nothing that was sent since yesterday was refused.</p>;
  return (
    <Table label="Not stored" isDense isBare>
      <thead>
        <tr>
          <th scope="col">Not stored</th>
          <th scope="col">GPU</th>
          <th scope="col" className="num">
            Since yesterday
          </th>
          <th scope="col" className="num">
            Last
          </th>
          <th scope="col" className="not-phone">
            Example
          </th>
        </tr>
      </thead>
      <tbody>
        {data.rows.map((row) => (
          <tr key={`${row.sourceId} ${row.gpu?.id ?? 0} ${row.reason}`}>
            <th scope="row" className="font-normal">
              {REFUSALS[row.reason].label}
              {!REFUSALS[row.reason].isLoss && <span className="muted">, nothing lost</span>}
            </th>
            <td>{row.gpu ? row.gpu.position : <span className="muted">none</span>}</td>
            <td className="num">{formatNumber(row.count)}</td>
            <td className="num muted">
              <Age at={row.lastAt} isBare />
            </td>
            <td className="not-phone text-12 text-text-2">{row.example}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
