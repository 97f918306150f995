import { Panel } from "@/components/ui/panel";
import { Table } from "@/components/ui/table";
import { formatUsd } from "@/lib/domain/format";
import type { MixAnswer } from "@/lib/domain/plan/mix-view";
import { providerName } from "@/lib/domain/plan/quotes";

/** Twelve months by provider; a month without a bill has no data, which is not nothing. */
export function MixHistory({ data }: { data: MixAnswer }) {
  const providers = Object.keys(data.history[0]?.micros ?? {});
  const known = data.history.filter(({ micros }) => Object.values(micros).some((one) => one !== null));
  if (known.length === 0) return null;
  return (
    <Panel span={12} isFlush title="Month by month">
      <Table label="Spend by provider and month" isDense>
        <thead>
          <tr>
            <th scope="col">Month</th>
            {providers.map((provider) => (
              <th key={provider} scope="col" className="num">
                {providerName(provider)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {known.map(({ month, micros }) => (
            <tr key={month}>
              <th scope="row" className="font-normal">
                {month}
              </th>
              {providers.map((provider) => {
                const spent = micros[provider] ?? null;
                return (
                  <td key={provider} className="num">
                    {spent === null ? <span className="muted">no data</span> : formatUsd(spent)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  );
}
