"use client";

import { useLive } from "@/components/page/use-live";
import type { InstancePageQuestion } from "@/lib/domain/fleet/view";
import type { Labels } from "@/lib/domain/fleet/workloads";
import type { Result } from "@/lib/errors";
import { instanceQuery } from "@/lib/queries/fleet";
import { LabelsDialog } from "./labels-dialog";

type Props = {
  question: InstancePageQuestion;
  change: (input: Labels & { instanceId: string }) => Promise<Result<{ id: string }>>;
};

/** The way to change the labels of the machine that the page is about. */
export function InstanceLabels({ question, change }: Props) {
  const { data } = useLive(instanceQuery(question));
  const { id, name, labels } = data.row;
  // Fields begin with what holds now, also after somebody else changed it.
  return <LabelsDialog key={JSON.stringify(labels)} instanceId={id} name={name} labels={labels} change={change} />;
}
