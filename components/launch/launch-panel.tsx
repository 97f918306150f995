"use client";

import { Rocket, UsersRound } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useLive } from "@/components/page/use-live";
import { Refusal } from "@/components/settings/refusal";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Link } from "@/components/ui/link";
import { Note } from "@/components/ui/note";
import { Lede } from "@/components/ui/page";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Age } from "@/components/ui/time";
import { formatUsdRate } from "@/lib/domain/format";
import { approvalNeeded } from "@/lib/domain/intents/guardrails";
import { parseLaunchLine } from "@/lib/domain/intents/one-line";
import { preflight } from "@/lib/domain/intents/preflight";
import { launchMicrosPerHour } from "@/lib/domain/intents/preflight-money";
import type { LaunchTemplate } from "@/lib/domain/intents/templates";
import type { Failure, Result } from "@/lib/errors";
import { launchOffersQuery } from "@/lib/queries/launch";
import { CheckList, countOf } from "./check-list";
import { changed, type Draft, draftOf } from "./draft";
import { LaunchFields } from "./launch-fields";
import { LaunchOwner } from "./launch-owner";
import { LaunchPrice } from "./launch-price";
import { LaunchSteps } from "./launch-steps";
import { LaunchTemplates, type TemplateActs } from "./launch-templates";
import { LineWords } from "./line-words";
import { OfferTable } from "./offer-table";

export type LaunchAction = (
  input: Draft & { intentId: string; priceMicros: string; accepted: string[] },
) => Promise<Result<{ id: string }>>;

type Props = {
  launch: LaunchAction;
  templates: TemplateActs;
  /** What another launch, a machine or a template says; the line says the rest. */
  given: Partial<LaunchTemplate>;
  /** Where that comes from, in words. */
  origin: string | null;
  line: string;
};

/** A guided launch: the machine, its software and access, whose it is, and what must be read before the button. */
export function LaunchPanel({ launch, templates, given, origin, line }: Props) {
  const { data } = useLive(launchOffersQuery());
  const router = useRouter();
  // A double click, the back button and a retry are the same launch.
  const [intentId] = useState(() => crypto.randomUUID());
  const [read] = useState(() => parseLaunchLine(line, data));
  const [draft, setDraft] = useState<Draft>(() => draftOf({ ...given, ...read.fields }, data));
  const [accepted, setAccepted] = useState<string[]>([]);
  const [refusal, setRefusal] = useState<Failure | null>(null);
  const [isPending, start] = useTransition();

  const change = (part: Partial<Draft>) => {
    setRefusal(null);
    setDraft((old) => changed(old, part, data));
  };
  const offer = data.offers.find((one) => one.typeName === draft.typeName);
  const checks = preflight(draft, data);
  const warnings = checks.filter((check) => check.level === "warning");
  const total = launchMicrosPerHour(draft, offer);
  const isReady =
    countOf(checks, "error") === 0 && total !== null && warnings.every(({ key }) => accepted.includes(key));
  const approval =
    approvalNeeded({ kind: "launch", actor: { kind: "user" }, microsPerHour: total ?? 0n }, data.guardrails) ??
    (data.stop?.act === "ask" ? data.stop.words : null);

  const submit = () =>
    start(async () => {
      if (!offer?.priceMicros) return;
      setRefusal(null);
      const keys = warnings.map(({ key }) => key).filter((key) => accepted.includes(key));
      const result = await launch({ ...draft, intentId, priceMicros: offer.priceMicros, accepted: keys });
      if (!result.ok) return setRefusal(result.error);
      router.push(`/launch/${result.data.id}` as Route);
    });

  return (
    <>
      <Lede>
        <b>Billing starts when Lambda reports it active</b>, usually 2 to 6 min after launch. Booting is free.
        {origin !== null && <> Filled in from {origin}.</>}{" "}
        <Link className="link underline" href={"/launch/queue" as Route}>
          Requests to Lambda
        </Link>{" "}
        shows what waits for its turn.
      </Lede>
      {read.words.length > 0 && <LineWords line={read} />}
      <form
        aria-label="Launch an instance"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) submit();
        }}
      >
        <Deck className="launch">
          <DeckColumn span={8}>
            <Panel
              title="1. Machine"
              sub={
                data.readAt === null ? (
                  "prices were not read yet"
                ) : (
                  <>
                    prices and capacity read <Age at={data.readAt} />
                  </>
                )
              }
              actions={
                <LaunchTemplates
                  acts={templates}
                  draft={draft}
                  now={data.now}
                  onLoad={(template) => setDraft(draftOf(template, data))}
                />
              }
              isFlush
            >
              <OfferTable offers={data.offers} draft={draft} onChange={change} />
            </Panel>
            <LaunchFields offers={data} offer={offer} draft={draft} errors={refusal?.fields ?? {}} onChange={change} />
            <LaunchOwner offers={data} draft={draft} errors={refusal?.fields ?? {}} onChange={change} />
            <LaunchSteps />
            <Panel className="is-last">
              <div className="grid gap-2">
                {warnings.map((check) => (
                  <Checkbox
                    key={check.key}
                    label={`Launch although: ${check.title}`}
                    checked={accepted.includes(check.key)}
                    onChange={(event) =>
                      setAccepted(
                        event.target.checked ? [...accepted, check.key] : accepted.filter((key) => key !== check.key),
                      )
                    }
                  />
                ))}
                {approval !== null && (
                  <Note tone="info" icon={UsersRound}>
                    <b>It waits for a second person.</b> {approval}
                  </Note>
                )}
                <Refusal failure={refusal} />
                <div className="flex justify-end">
                  <Button type="submit" look="primary" icon={Rocket} disabled={!isReady} isPending={isPending}>
                    {approval === null ? "Launch" : "Ask to launch"}
                    {draft.count > 1 && ` ${draft.count}`} for {formatUsdRate(total)}
                  </Button>
                </div>
              </div>
            </Panel>
          </DeckColumn>
          <DeckColumn span={4}>
            <LaunchPrice offers={data} offer={offer} draft={draft} />
            <Panel
              title="Pre-flight"
              sub={`${countOf(checks, "pass")} pass, ${warnings.length} to read, ${countOf(checks, "error")} in the way`}
              isFlush
            >
              <CheckList checks={checks} />
            </Panel>
          </DeckColumn>
        </Deck>
      </form>
    </>
  );
}
