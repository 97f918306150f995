import { now } from "@/lib/db/clock";

/** What time it is, for the seams that have no session to bring it along. */
export const readNow = now;
