"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleAlert, CircleCheck, CircleDashed, Unplug } from "lucide-react";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { useClockCorrection } from "@/components/ui/clock";
import { cx } from "@/components/ui/cx";
import { Link } from "@/components/ui/link";
import { Age } from "@/components/ui/time";
import { alertCountsQuery } from "@/lib/queries/alerts";
import { findingCountQuery } from "@/lib/queries/alignment";
import { fleetStatusQuery } from "@/lib/queries/fleet";
import { approvalCountQuery } from "@/lib/queries/intents";
import { BrandMark } from "./brand-mark";
import { ROOMS, roomOf } from "./rooms";

/** The rooms, how fresh what they show is, and who is looking. */
export function Rail({ me }: { me: ReactNode }) {
  const here = roomOf(usePathname());
  return (
    <nav className="rail" aria-label="Main">
      <Link href="/" className="brand" aria-label="Hopperdeck">
        <BrandMark />
        <b>Hopperdeck</b>
      </Link>
      <ul>
        {ROOMS.map(({ href, name, icon: Icon }) => (
          <li key={href}>
            <Link
              href={href}
              title={name}
              className="rail-link"
              aria-current={here?.href === href ? "page" : undefined}
            >
              <Icon size={16} aria-hidden="true" />
              <span>{name}</span>
              <RoomCount room={name} />
            </Link>
          </li>
        ))}
      </ul>
      <Sources />
      {me}
    </nav>
  );
}

/** Instances in the fleet, alerts that fire or went unknown, what waits for a second person. */
export function RoomCount({ room }: { room: string }) {
  if (room === "Fleet") return <FleetCount />;
  if (room === "Alerts") return <AlertCount />;
  if (room === "Approvals") return <ApprovalCount />;
  if (room === "Alignment") return <FindingCount />;
  return null;
}

function FleetCount() {
  const { data } = useQuery(fleetStatusQuery());
  return data ? <em className="rail-count">{data.instances}</em> : null;
}

function AlertCount() {
  const { data } = useQuery(alertCountsQuery());
  const open = data ? data.firing + data.unknown : 0;
  if (open === 0) return null;
  return (
    <em className={cx("rail-count", "is-hot")}>
      {open}
      <span className="sr-only"> firing or unknown</span>
    </em>
  );
}

function FindingCount() {
  const { data } = useQuery(findingCountQuery());
  if (!data || data.findings === 0) return null;
  return (
    <em className="rail-count">
      {data.findings}
      <span className="sr-only"> not as declared</span>
    </em>
  );
}

function ApprovalCount() {
  const { data } = useQuery(approvalCountQuery());
  if (!data || data.waiting === 0) return null;
  return (
    <em className={cx("rail-count", data.waiting > data.own && "is-hot")}>
      {data.waiting}
      <span className="sr-only"> waiting for a second person</span>
    </em>
  );
}

function Sources() {
  const { data, isError } = useQuery(fleetStatusQuery());
  useClockCorrection(data?.now);
  if (!data) return <div className="rail-sources" />;
  const { freshness, agents } = data;
  const isStale = freshness.staleSince !== null || isError;
  return (
    <div className="rail-sources">
      <p title={isStale ? "Lambda API: stale" : "Lambda API: answers"}>
        {isStale ? (
          <CircleAlert size={12} className="text-crit" aria-hidden="true" />
        ) : (
          <CircleCheck size={12} className="text-ok" aria-hidden="true" />
        )}
        <span>Lambda API</span>
        <b>{freshness.lastOkAt === null ? "not yet" : <Age at={freshness.lastOkAt} />}</b>
      </p>
      <p title={`Agents: ${agents.reporting} of ${agents.expected} report`}>
        {agents.expected === 0 ? (
          <CircleDashed size={12} aria-hidden="true" />
        ) : agents.reporting < agents.expected ? (
          <Unplug size={12} className="text-crit" aria-hidden="true" />
        ) : (
          <CircleCheck size={12} className="text-ok" aria-hidden="true" />
        )}
        <span>Agents</span>
        <b>
          {agents.reporting} of {agents.expected}
        </b>
      </p>
    </div>
  );
}
