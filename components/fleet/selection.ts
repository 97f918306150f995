import type { InstanceRow } from "@/lib/domain/fleet/view";

/** The machines that are chosen to be acted on together; null in its place: this role may not. */
export type FleetSelection = {
  ids: ReadonlySet<string>;
  endable: readonly InstanceRow[];
  onChange: (ids: ReadonlySet<string>) => void;
};

/** `isOn` null: it cannot be chosen now. */
export type Box = { isOn: boolean | null; onChange: (isOn: boolean) => void };

/** The box of each machine. */
export function boxesOf(selection: FleetSelection | null): (id: string) => Box | null {
  const endable = new Set(selection?.endable.map(({ id }) => id));
  return (id) =>
    selection && {
      isOn: endable.has(id) ? selection.ids.has(id) : null,
      onChange: (isOn) => {
        const next = new Set(selection.ids);
        if (isOn) next.add(id);
        else next.delete(id);
        selection.onChange(next);
      },
    };
}
