import { groupBy } from "@/lib/domain/group";
import type { Architecture } from "./declaration";
import { architectureOf, cardGb, isPresent, modelName, type Observed, type ObservedMachine } from "./observed";

/** A group as it would be declared if what runs were what was meant. */
export type DeclarableGroup = {
  name: string;
  instanceType: string;
  gpu: string;
  gpusPerInstance: number;
  memoryGb: number;
  count: number;
  regions: string[];
  priceMicros: bigint | null;
  architecture?: Architecture;
};

/** One group per instance type, by what its cards report, else by what Lambda records of the type. Machines without GPUs are left out. */
export function declarableGroups({ machines }: Observed): DeclarableGroup[] {
  const byType = groupBy(machines.filter(isPresent), ({ typeName }) => typeName ?? "");
  return [...byType]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([instanceType, own]) => {
      const [first] = own;
      const record = first?.record ?? null;
      const cards = own.flatMap((machine) => machine.cards);
      const gpu = mostOften(cards.map(({ name }) => modelName(name))) ?? record?.gpuModel ?? null;
      const memoryGb = mostOften(cards.flatMap((card) => cardGb(card) ?? [])) ?? record?.gpuMemoryGb ?? null;
      const gpusPerInstance = record?.gpus ?? cards.length;
      if (instanceType === "" || gpu === null || memoryGb === null || gpusPerInstance === 0) return [];
      const architecture = mostOften(own.flatMap((machine) => architectureOfMachine(machine) ?? []));
      return [
        {
          name: instanceType.replace(/^gpu_/, "").replaceAll("_", "-"),
          instanceType,
          gpu,
          gpusPerInstance,
          memoryGb,
          count: own.length,
          regions: [...new Set(own.map(({ region }) => region))].sort(),
          priceMicros: mostOften(own.flatMap(({ priceMicros }) => priceMicros ?? [])),
          ...(architecture !== null && { architecture }),
        },
      ];
    });
}

function architectureOfMachine({ architecture, record }: ObservedMachine): Architecture | null {
  return architectureOf(architecture?.value ?? record?.architecture ?? "");
}

/** The value most of them have; the first of several that are as many. */
function mostOften<T extends string | number | bigint>(values: readonly T[]): T | null {
  const counts = new Map<T, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return (
    [...counts].reduce<[T, number] | null>((best, one) => (best && best[1] >= one[1] ? best : one), null)?.[0] ?? null
  );
}
