import type { Route } from "next";
import Link from "next/link";
import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatNumber, formatUsdRate } from "@/lib/domain/format";
import { ARCHITECTURE_WORDS } from "@/lib/domain/plan/gpu-kind";
import { DATA_SHEETS, PLAN_GPUS } from "@/lib/domain/plan/gpus";
import { providerName } from "@/lib/domain/plan/quotes";
import type { ProviderRow } from "@/lib/domain/plan/workload-view";

const NOT_RATED = "in no price list, and nobody has rated it here";

/** Providers side by side, with what no price list says left open instead of guessed. */
export function ProvidersPanel({ providers }: { providers: readonly ProviderRow[] }) {
  return (
    <Panel
      span={12}
      isFlush
      title="Providers"
      sub="as the price book knows them; set-up, interface and reliability are not rated"
      actions={
        <Link className="link" href={"/plan" as Route}>
          Compare
        </Link>
      }
    >
      <Table label="Providers" isDense>
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col" className="num">
              Prices
            </th>
            <th scope="col" className="num">
              GPU models
            </th>
            <th scope="col" className="num">
              A100, an hour
            </th>
            <th scope="col">Spot</th>
            <th scope="col">Reserved</th>
            <th scope="col">Set-up time</th>
            <th scope="col">Interface</th>
            <th scope="col">Reliability</th>
            <th scope="col">Newest price</th>
          </tr>
        </thead>
        <tbody>
          {providers.map((one) => (
            <tr key={one.provider}>
              <th scope="row">{providerName(one.provider)}</th>
              <td className="num text-text-2">{one.offers}</td>
              <td className="num text-text-2">{one.models}</td>
              <td className="num">
                {one.a100Micros === null ? (
                  <Missing reason="no firm A100 in the book" />
                ) : (
                  formatUsdRate(one.a100Micros)
                )}
                {one.a100Micros !== null && (
                  <small className="run-sub">{one.a100Gb === null ? "memory not said" : `${one.a100Gb} GB`}</small>
                )}
              </td>
              <td className="text-text-2">{one.hasSpot ? "yes" : "none"}</td>
              <td className="text-text-2">{one.hasReserved ? "yes" : "none"}</td>
              <td>
                {one.provider === "lambda" ? (
                  <Link className="link" href={"/launch" as Route}>
                    measured here
                  </Link>
                ) : (
                  <Missing reason={NOT_RATED} />
                )}
              </td>
              <td>
                {one.provider === "lambda" ? (
                  <Link className="link" href={"/settings" as Route}>
                    watched here
                  </Link>
                ) : (
                  <Missing reason={NOT_RATED} />
                )}
              </td>
              <td>
                {one.provider === "lambda" ? (
                  <Link className="link" href={"/alerts" as Route}>
                    watched here
                  </Link>
                ) : (
                  <Missing reason={NOT_RATED} />
                )}
              </td>
              <td className="text-text-2">{one.newest ?? "no date"}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}

/** Every GPU of plans with what is known of it, and from where. */
export function GpusPanel() {
  return (
    <Panel
      span={12}
      isFlush
      title="GPUs"
      sub={`MiB as such cards report them (recorded); the rest from ${DATA_SHEETS}: unverified`}
    >
      <Table label="GPUs" isDense>
        <thead>
          <tr>
            <th scope="col">GPU</th>
            <th scope="col" className="num">
              Sold as
            </th>
            <th scope="col" className="num">
              Reports
            </th>
            <th scope="col">Memory</th>
            <th scope="col" className="num">
              GB/s
            </th>
            <th scope="col" className="num">
              BF16 TFLOPS
            </th>
            <th scope="col" className="num">
              CUDA cores
            </th>
            <th scope="col" className="num">
              Tensor cores
            </th>
            <th scope="col" className="num">
              Capability
            </th>
            <th scope="col">Host</th>
          </tr>
        </thead>
        <tbody>
          {PLAN_GPUS.map((gpu) => (
            <tr key={gpu.key}>
              <th scope="row">{gpu.name}</th>
              <td className="num">{gpu.nominalGb} GB</td>
              <td className="num">{formatNumber(gpu.reportedMib)} MiB</td>
              <td className="text-text-2">{gpu.memory}</td>
              <td className="num text-text-2">{formatNumber(gpu.bandwidthGbS)}</td>
              <td className="num text-text-2">
                {formatNumber(gpu.bf16Tflops)}
                {gpu.hasBf16 ? "" : " (FP16)"}
              </td>
              <td className="num text-text-2">
                {gpu.cudaCores === null ? <Missing reason="not known here" /> : formatNumber(gpu.cudaCores)}
              </td>
              <td className="num text-text-2">
                {gpu.tensorCores === null ? <Missing reason="not known here" /> : formatNumber(gpu.tensorCores)}
              </td>
              <td className="num text-text-2">{gpu.computeCapability}</td>
              <td className="text-text-2">{ARCHITECTURE_WORDS[gpu.architecture]}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
