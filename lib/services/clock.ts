import { now } from "@/lib/db/clock";
import { askingTogether } from "./asking";

/** What time it is, for the seams that have no session to bring it along. */
export const readNow = now;

/** The same for what comes in crowds: the answer may be as old as one question takes. */
export const readNowTogether = askingTogether(now, () => "now");
