import { PbfWriter } from "pbf";
import SnappyJS from "snappyjs";
import { METRICS, WIDE_METRICS, type WideMetric } from "@/lib/domain/telemetry/catalogue";

/** A remote-write request (1.0) of every GPU's metrics at one instant, labelled as dcgm-exporter labels them. */
export function remoteWriteBody(at: number, samples: readonly Record<WideMetric, number | null>[]): Buffer {
  const request = new PbfWriter();
  for (const [i, values] of samples.entries()) {
    const host = `gpu-node-${Math.floor(i / 8)}`;
    for (const metric of WIDE_METRICS) {
      const value = values[metric];
      if (value === null) continue;
      const field = METRICS[metric].dcgm[0];
      const labels = [
        ["__name__", field?.field ?? metric],
        ["Hostname", host],
        ["UUID", uuidOf(i)],
        ["device", `nvidia${i % 8}`],
        ["gpu", String(i % 8)],
        ["instance", `${host}:9400`],
        ["job", "dcgm"],
        ["modelName", "NVIDIA GH200 480GB"],
      ] as const;
      request.writeMessage(
        1,
        (_, series) => {
          for (const [name, text] of labels) {
            series.writeMessage(
              1,
              (_label, label) => {
                label.writeStringField(1, name);
                label.writeStringField(2, text);
              },
              null,
            );
          }
          series.writeMessage(
            2,
            (_sample, sample) => {
              sample.writeDoubleField(1, value / (field?.scale ?? 1));
              sample.writeVarintField(2, at);
            },
            null,
          );
        },
        null,
      );
    }
  }
  return Buffer.from(SnappyJS.compress(request.finish()));
}

export function uuidOf(i: number): string {
  return `GPU-${i.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
}
