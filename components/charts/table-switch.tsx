"use client";

import { ChartLine, Table2 } from "lucide-react";
import { IconButton } from "@/components/ui/button";

type Props = { title: string; isTable: boolean; onSwitch: () => void };

/** The same columns as a picture or as a table. */
export function TableSwitch({ title, isTable, onSwitch }: Props) {
  return (
    <IconButton
      className="chart-switch"
      size="small"
      look="ghost"
      icon={isTable ? ChartLine : Table2}
      label={`${title} as a ${isTable ? "chart" : "table"}`}
      onClick={onSwitch}
    />
  );
}
