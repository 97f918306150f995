import { formatCount } from "@/lib/domain/format";
import type { Concern } from "./change";

/** So many machines can be ended in one act. */
export const END_MOST = 500;

/** What a batch is confirmed by: the number of its machines. */
export function batchConfirmation(machines: number): string {
  return String(machines);
}

/** How a concern is said of several machines: "3 instances work right now". */
export function concernOfMany(key: Concern["key"], machines: number): string {
  const they = formatCount(machines, "instance");
  const one = machines === 1;
  return {
    busy: `${they} ${one ? "is" : "are"} working right now`,
    silent: `${they} cannot be heard, so ${one ? "it counts" : "they count"} as busy`,
    protected: `${they} ${one ? "is" : "are"} protected`,
    not_ours: `${they} ${one ? "was" : "were"} not launched from here`,
    reserved: `${they} ${one ? "is" : "are"} reserved and paid either way`,
    someone_elses: `${they} ${one ? "belongs" : "belong"} to somebody else`,
  }[key];
}
