"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTransition } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import type { Result } from "@/lib/errors";

type Props = {
  row: { id: string; name: string };
  cancel: (input: { intentId: string }) => Promise<Result<{ id: string }>>;
};

/** Takes back a request that was not sent yet. */
export function TakeBack({ row, cancel }: Props) {
  const client = useQueryClient();
  const [isPending, start] = useTransition();
  const takeBack = () =>
    start(async () => {
      const result = await cancel({ intentId: row.id });
      if (result.ok) toast("ok", "Taken back", `${row.name}: nothing was sent.`);
      else toast("crit", "Not taken back", result.error.message);
      await Promise.all(["intents", "fleet", "overview"].map((noun) => client.invalidateQueries({ queryKey: [noun] })));
    });
  return (
    <Button size="small" isPending={isPending} onClick={takeBack} aria-label={`Take back ${row.name}`}>
      Take back
    </Button>
  );
}
