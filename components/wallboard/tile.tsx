import { instanceState } from "@/components/fleet/instance-state";
import { cx } from "@/components/ui/cx";
import { Meter } from "@/components/ui/meter";
import { Status } from "@/components/ui/status";
import { formatCelsius, formatPercent } from "@/lib/domain/format";
import type { WallboardTile } from "@/lib/domain/wallboard";

/** One machine: how it is, how busy it is, how full its memory is. */
export function Tile({ tile }: { tile: WallboardTile }) {
  const vramPct =
    tile.memoryUsedMib !== null && tile.memoryTotalMib ? (100 * tile.memoryUsedMib) / tile.memoryTotalMib : null;
  const isOld = tile.telemetry.state !== "reporting";
  return (
    <li className={cx("wall-tile", tile.alert && `is-${tile.alert}`, tile.idle && "is-idle")}>
      <span className="wall-name ellipsis">{tile.name}</span>
      <Status of={instanceState(stateOf(tile))} />
      <span className={cx("wall-value", isOld && "stale")}>{formatPercent(tile.utilizationPct)}</span>
      <Meter value={tile.utilizationPct ?? 0} max={100} label={`Utilisation ${formatPercent(tile.utilizationPct)}`} />
      <span className="wall-small">
        <span>VRAM {formatPercent(vramPct)}</span>
        <span>{formatCelsius(tile.temperatureC)}</span>
      </span>
      <span className="wall-small muted">
        <span className="ellipsis">
          {tile.typeName ?? "unknown type"}, {tile.region}
        </span>
      </span>
    </li>
  );
}

/** The words of the fleet's table, from what a screen is told. */
function stateOf({ status, telemetry, idle, openIntent }: WallboardTile): Parameters<typeof instanceState>[0] {
  return {
    status,
    idle,
    telemetry: { ...telemetry, error: null },
    openIntent: openIntent && { ...openIntent, id: "", state: "", acceptedAt: null },
  };
}
