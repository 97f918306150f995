import type { GpuPlace } from "@/lib/domain/telemetry/report";

const BUS_ID = /^(?:PCI:)?(?:([0-9a-f]{1,8}):)?([0-9a-f]{1,2}):([0-9a-f]{1,2})(?:\.[0-7])?$/i;

/**
 * One spelling for the place of a card: `PCI:0000:19:00`, `00000000:19:00.0` and `0000:19:00` are `0000:19:00`. Null where the
 * text is no place on a bus.
 */
export function busPlace(text: string | null): string | null {
  const part = BUS_ID.exec((text ?? "").slice(0, 40).trim());
  if (!part) return null;
  const hex = (digits: string | undefined, width: number) =>
    Number.parseInt(digits || "0", 16)
      .toString(16)
      .padStart(width, "0");
  return `${hex(part[1], 4)}:${hex(part[2], 2)}:${hex(part[3], 2)}`;
}

/** Whether two senders speak of one card: by UUID where both know it, then by place on the bus, then by number. */
export function samePlace(a: GpuPlace, b: GpuPlace): boolean {
  if (a.uuid !== null && b.uuid !== null) return a.uuid.toLowerCase() === b.uuid.toLowerCase();
  const [busA, busB] = [busPlace(a.busId), busPlace(b.busId)];
  if (busA !== null && busB !== null) return busA === busB;
  return a.index !== null && a.index === b.index;
}

/** The card that a sender speaks of; its MIG instance where that one is known, else the whole card. */
export function findPlace<T extends GpuPlace>(place: GpuPlace, cards: readonly T[]): T | null {
  const same = cards.filter((card) => samePlace(place, card));
  const isInside = ({ mig }: T) => mig === place.mig || (place.mig !== "" && mig.startsWith(`${place.mig}/`));
  return same.find(isInside) ?? same.find(({ mig }) => mig === "") ?? same[0] ?? null;
}
