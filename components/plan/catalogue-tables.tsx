import { Panel } from "@/components/ui/panel";
import { Missing } from "@/components/ui/quantity";
import { Table } from "@/components/ui/table";
import { formatNumber } from "@/lib/domain/format";
import { ARCHITECTURE_WORDS } from "@/lib/domain/plan/gpu-kind";
import { DATA_SHEETS, PLAN_GPUS } from "@/lib/domain/plan/gpus";

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
