import { authorize, type Ctx } from "@/lib/domain/access";
import type { FleetStatus } from "@/lib/domain/fleet/view";
import { readFleet } from "./read";

/** What the frame of every page says of the fleet: how old the knowledge is, how many run, how many report. */
export async function readFleetStatus(ctx: Ctx): Promise<FleetStatus> {
  authorize(ctx, "fleet:read");
  const { freshness, totals, rows } = await readFleet(ctx);
  const expected = rows.filter((row) => row.isBilled && row.telemetry.state !== "not_expected");
  return {
    now: freshness.now,
    freshness,
    instances: totals.instances,
    agents: {
      reporting: expected.filter((row) => row.telemetry.state === "reporting").length,
      expected: expected.length,
    },
  };
}
