"use client";

import { CircleAlert, CircleCheck, Rocket, TriangleAlert } from "lucide-react";
import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useLive } from "@/components/page/use-live";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/choice";
import { Note } from "@/components/ui/note";
import { Lede } from "@/components/ui/page";
import { Deck, DeckColumn, Panel } from "@/components/ui/panel";
import { Age } from "@/components/ui/time";
import type { Labels } from "@/lib/domain/fleet/workloads";
import { formatUsdRate } from "@/lib/domain/format";
import { type Check, imagesFor, type LaunchChoice, preflight } from "@/lib/domain/intents/preflight";
import type { Result } from "@/lib/errors";
import { launchOffersQuery } from "@/lib/queries/intents";
import { LaunchFields } from "./launch-fields";
import { LaunchPrice } from "./launch-price";
import { OfferTable } from "./offer-table";

export type Draft = LaunchChoice & Labels;

export type LaunchAction = (
  input: Draft & { intentId: string; priceMicros: string; accepted: string[] },
) => Promise<Result<{ id: string }>>;

const HEART = "gpu_1x_gh200";

/** A guided launch: the machine, its software and access, whose it is, and what must be read before the button. */
export function LaunchPanel({ launch }: { launch: LaunchAction }) {
  const { data } = useLive(launchOffersQuery());
  const router = useRouter();
  // A double click, the back button and a retry are the same launch.
  const [intentId] = useState(() => crypto.randomUUID());
  const [draft, setDraft] = useState<Draft>(() => {
    const offer =
      data.offers.find((one) => one.typeName === HEART) ??
      data.offers.find((one) => one.regions.some((r) => r.isListed));
    return {
      typeName: offer?.typeName ?? "",
      region: offer?.regions[0]?.name ?? "",
      imageFamily: null,
      sshKeyName: data.sshKeys.length === 1 ? (data.sshKeys[0] ?? "") : "",
      fileSystemName: null,
      name: "",
      owner: "",
      team: "",
      project: "",
      environment: "",
      costCenter: "",
      workload: "unknown",
    };
  });
  const [accepted, setAccepted] = useState<string[]>([]);
  const [refusal, setRefusal] = useState<{ message: string; fields: Record<string, string> } | null>(null);
  const [isPending, start] = useTransition();

  const change = (part: Partial<Draft>) => {
    setRefusal(null);
    setDraft((old) => {
      const next = { ...old, ...part };
      const offer = data.offers.find((one) => one.typeName === next.typeName);
      if (part.typeName !== undefined && !offer?.regions.some((one) => one.name === next.region && one.isListed))
        next.region = offer?.regions[0]?.name ?? "";
      if (next.imageFamily && !imagesFor(offer, next.region, data).some((one) => one.family === next.imageFamily))
        next.imageFamily = null;
      if (
        next.fileSystemName &&
        !data.filesystems.some((one) => one.name === next.fileSystemName && one.region === next.region)
      )
        next.fileSystemName = null;
      return next;
    });
  };

  const offer = data.offers.find((one) => one.typeName === draft.typeName);
  const checks = preflight(draft, data);
  const count = (level: Check["level"]) => checks.filter((check) => check.level === level).length;
  const warnings = checks.filter((check) => check.level === "warning");
  const isReady =
    count("error") === 0 && offer?.priceMicros != null && warnings.every(({ key }) => accepted.includes(key));

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
      </Lede>
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
              isFlush
            >
              <OfferTable offers={data.offers} draft={draft} onChange={change} />
            </Panel>
            <LaunchFields offers={data} offer={offer} draft={draft} errors={refusal?.fields ?? {}} onChange={change} />
            <Panel title="What happens next">
              <ol className="launch-steps">
                <li>
                  <b>Request</b>
                  <span>refused or accepted within seconds; one launch every 12 s</span>
                </li>
                <li>
                  <b>Booting</b>
                  <span>2 to 6 min, free</span>
                </li>
                <li>
                  <b>Active</b>
                  <span>billing starts</span>
                </li>
                <li>
                  <b>Agent reports</b>
                  <span>first sample, usually within a minute</span>
                </li>
              </ol>
            </Panel>
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
                <div role="alert">{refusal && <Note tone="crit">{refusal.message}</Note>}</div>
                <div className="flex justify-end">
                  <Button type="submit" look="primary" icon={Rocket} disabled={!isReady} isPending={isPending}>
                    Launch for {formatUsdRate(offer?.priceMicros ?? null)}
                  </Button>
                </div>
              </div>
            </Panel>
          </DeckColumn>
          <DeckColumn span={4}>
            <LaunchPrice offers={data} offer={offer} region={draft.region} />
            <Panel
              title="Pre-flight"
              sub={`${count("pass")} pass, ${warnings.length} to read, ${count("error")} in the way`}
              isFlush
            >
              <ul>
                {[...checks]
                  .sort((a, b) => ORDER[a.level] - ORDER[b.level])
                  .map((check) => (
                    <CheckLine key={check.key} check={check} />
                  ))}
              </ul>
            </Panel>
          </DeckColumn>
        </Deck>
      </form>
    </>
  );
}

const ORDER: Record<Check["level"], number> = { error: 0, warning: 1, pass: 2 };
const LOOKS = {
  error: { icon: CircleAlert, tone: "text-crit", word: "In the way" },
  warning: { icon: TriangleAlert, tone: "text-warn", word: "Read this" },
  pass: { icon: CircleCheck, tone: "text-ok", word: "Pass" },
} as const;

function CheckLine({ check }: { check: Check }) {
  const { icon: Icon, tone, word } = LOOKS[check.level];
  return (
    <li className="check-line">
      <Icon size={14} className={tone} aria-hidden="true" />
      <span>
        <b className="block">
          <span className="sr-only">{word}: </span>
          {check.title}
        </b>
        <span className="text-12 text-text-2">{check.detail}</span>
      </span>
    </li>
  );
}
