import type { GpuNow } from "@/lib/domain/fleet/view";

type Process = NonNullable<GpuNow["processes"]>[number];

/** `python3 of ubuntu`; what has no name goes by its number. */
export function processWords({ name, pid, user }: Process): string {
  return `${name ?? `pid ${pid}`}${user === null ? "" : ` of ${user}`}`;
}
