"use client";

import { useQuery } from "@tanstack/react-query";
import { Scale } from "lucide-react";
import type { Route } from "next";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { formatCount } from "@/lib/domain/format";
import { badgesQuery, findingCountQuery } from "@/lib/queries/alignment";

type Props = {
  instanceId: string;
  className?: string;
  /** A mark and a number, where a table has no room for words. */
  isShort?: boolean;
};

/** That a machine is not what was declared; nothing where it is, or where nobody declared anything. */
export function DriftBadge({ instanceId, className, isShort = false }: Props) {
  const { data } = useQuery(badgesQuery());
  const own = data?.byInstance[instanceId];
  if (!own) return null;
  const words = formatCount(own.count, "finding");
  return (
    <Badge tone={own.severity === "critical" ? "crit" : "warn"} className={className} {...(isShort && { icon: Scale })}>
      <span title={`${words} against what was declared`}>
        {own.count}
        <span className={isShort ? "sr-only" : undefined}> not as declared</span>
      </span>
    </Badge>
  );
}

/** How many facts of the fleet are not as declared, as a way to them. */
export function DriftHint() {
  const { data } = useQuery(findingCountQuery());
  if (!data || data.findings === 0) return null;
  return (
    <Link className="link" href={"/alignment" as Route}>
      {formatCount(data.findings, "fact")} not as declared
    </Link>
  );
}
