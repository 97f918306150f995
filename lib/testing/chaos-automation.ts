import { prisma } from "@/lib/db/client";
import { forgetSetting, readSettingNow } from "@/lib/db/settings";
import { writeSamples } from "@/lib/db/telemetry/write";
import type { Ctx } from "@/lib/domain/access";
import { SHADOW_MS } from "@/lib/domain/policies/kinds";
import { NewPolicy } from "@/lib/domain/policies/policy";
import { protectInstance, unprotectInstance } from "@/lib/services/intents/protection";
import { resumeAutomation, stopAutomation } from "@/lib/services/policies/automation";
import { extendLease } from "@/lib/services/policies/lease";
import { armPolicy, createPolicy } from "@/lib/services/policies/policies";
import type { Click } from "./chaos-deciders";
import type { Dice } from "./chaos-dice";
import { type Heard, hear, reports } from "./heard";
import { TERMINATE } from "./intents";
import { rows, type World } from "./world";

const MINUTE_MS = 60_000;
const IDLE_MS = 30 * MINUTE_MS;
const minuteOf = (at: number) => Math.floor(at / MINUTE_MS);
/** So long a machine says that it has been empty when it is first heard. */
const BEFORE_MS = IDLE_MS + 10 * MINUTE_MS;
const SILENT_MS = 90_000;

type Known = { id: string; externalId: string; intentId: string | null };
/** What is true of a machine, whatever anybody believes. */
type Truth = Known &
  Heard & {
    isBusy: boolean;
    isSilent: boolean;
    heardAt: number;
    /** Since when each of its minutes was reported and nothing was computed. */
    quietSince: number;
    /** When it was last heard to compute. */
    workedAt: number | null;
  };

/** Two standing policies over machines that work, rest, fall silent, are protected and leased; and the switch that stops them. */
export class Automation {
  readonly told = { switches: 0, policyEnds: 0 };
  private readonly heard = new Map<string, Truth>();
  private readonly deaf = new Set<string>();
  private judged = 0;
  private readonly firstOf = new Set<string>();

  private constructor(
    private readonly world: World,
    private readonly admin: () => Ctx,
    private readonly dice: Dice,
  ) {}

  /** Both are armed, their week in shadow being over. */
  static async start(world: World, admin: () => Ctx, dice: Dice): Promise<Automation> {
    const rest = { cooldownMinutes: 0, maxPerHour: 50 };
    for (const policy of [
      {
        kind: "idle_termination",
        name: "Empty",
        params: { afterMinutes: IDLE_MS / MINUTE_MS, noticeMinutes: 2 },
        ...rest,
      },
      { kind: "lease", name: "Leases", params: { warnHours: 1, noticeMinutes: 0 }, ...rest },
    ]) {
      const ctx = admin();
      const before = { ...ctx, now: new Date(ctx.now.getTime() - SHADOW_MS - MINUTE_MS) };
      const { id } = await createPolicy(before, NewPolicy.parse(policy));
      await armPolicy(ctx, { policyId: id, version: 1 });
    }
    forgetSetting("automation");
    if ((await readSettingNow("automation")).stoppedAt !== null) await resumeAutomation(admin(), { reason: "" });
    return new Automation(world, admin, dice);
  }

  /** Machines that are new begin to report, or never do; the others go on. */
  async report(): Promise<void> {
    const now = this.world.now();
    const known = await rows<Known>(
      `select id, external_id as "externalId", launch_intent_id as "intentId" from resource where kind = 'instance' and gone_at is null
       order by first_seen_at, external_id`,
    );
    const sources: ReturnType<typeof reports>[] = [];
    for (const one of known) {
      if (this.deaf.has(one.id)) continue;
      const before = this.heard.get(one.id);
      const truth = before ?? (this.dice.happens(0.1) ? null : await this.begin(one, now));
      if (!truth) this.deaf.add(one.id);
      if (!truth || truth.isSilent) continue;
      if (before && minuteOf(now) - minuteOf(truth.heardAt) > 1) {
        truth.quietSince = now;
        await this.measure(truth);
      }
      const from = before ? now : now - BEFORE_MS;
      sources.push(reports(truth, truth.isBusy ? 90 : 0, from, now));
      truth.heardAt = now;
      if (truth.isBusy) {
        truth.quietSince = now;
        truth.workedAt = now;
      }
    }
    if (sources.length > 0) await writeSamples(sources, new Date(now));
  }

  private async begin(one: Known, now: number): Promise<Truth> {
    const truth = {
      ...one,
      ...(await hear(one, now - BEFORE_MS, now)),
      isBusy: this.dice.happens(0.5),
      isSilent: false,
      heardAt: now,
      quietSince: now - BEFORE_MS,
      workedAt: null,
    };
    await this.measure(truth);
    this.heard.set(one.id, truth);
    return truth;
  }

  /** What the measure of idle time would have found by now. */
  private async measure({ id, isBusy, quietSince }: Truth): Promise<void> {
    const data = isBusy
      ? { idleSince: null, idleKind: null }
      : { idleSince: new Date(quietSince), idleKind: "empty" as const };
    await prisma.resource.update({ where: { id }, data });
  }

  /** Work comes and goes, machines fall silent, people protect and lease them, and somebody turns the switch. */
  async live(click: Click): Promise<void> {
    const { dice } = this;
    const truth = dice.happens(0.5) ? dice.pick([...this.heard.values()]) : undefined;
    const what = dice.draw();
    const now = this.world.now();
    if (truth && what < 0.35) {
      truth.isBusy = !truth.isBusy;
      await this.measure(truth);
    } else if (truth && what < 0.45) {
      truth.isSilent = true;
    } else if (truth && what < 0.55) {
      for (const one of this.heard.values()) one.isSilent = false;
    } else if (truth && what < 0.65) {
      const [row] = await rows<{ isProtected: boolean }>(
        `select is_protected as "isProtected" from resource where id = $1`,
        [truth.id],
      );
      const act = row?.isProtected ? unprotectInstance : protectInstance;
      await click(() => act(this.admin(), { instanceId: truth.id, reason: "A demo" }));
    } else if (truth) {
      const until = now + dice.upTo(20) * MINUTE_MS;
      await click(() => extendLease(this.admin(), { instanceId: truth.id, until, reason: "" }));
    }
    const { stoppedAt } = await readSettingNow("automation");
    if (dice.happens(stoppedAt === null ? 0.04 : 0.2)) {
      const reason = "Look first";
      await click(() =>
        stoppedAt === null ? stopAutomation(this.admin(), { reason }) : resumeAutomation(this.admin(), { reason }),
      );
      this.told.switches += 1;
    }
  }

  /**
   * What policies asked of Lambda since this was asked last, against what was true then: nothing of this is changed within a
   * turn. Only the first request counts; what Lambda has heard may be said again.
   */
  async judge(): Promise<string[]> {
    const { requests } = this.world;
    const fresh = requests.slice(this.judged).filter(({ method, path }) => method === "POST" && path === TERMINATE);
    this.judged = requests.length;
    if (fresh.length === 0) return [];
    const now = this.world.now();
    const { stoppedAt } = await readSettingNow("automation");
    const ends = await rows<{
      id: string;
      externalId: string;
      policy: string | null;
      lease: Date | null;
      isOurs: boolean;
      isProtected: boolean;
    }>(
      `select i.id, r.external_id as "externalId", p.kind::text as policy, r.lease_until as lease,
              r.launch_intent_id is not null as "isOurs", r.is_protected as "isProtected"
       from intent i join resource r on r.id = i.target_id left join policy p on p.id = i.policy_id
       where i.kind = 'terminate' and i.sent_at is not null and r.external_id = any ($1)
       order by i.created_at`,
      [fresh.flatMap(({ body }) => (JSON.parse(body) as { instance_ids: string[] }).instance_ids)],
    );
    const latest = new Map(ends.map((end) => [end.externalId, end]));
    return [...latest.values()].flatMap((end) => {
      if (end.policy === null || this.firstOf.has(end.id)) return [];
      this.firstOf.add(end.id);
      this.told.policyEnds += 1;
      const truth = [...this.heard.values()].find(({ externalId }) => externalId === end.externalId);
      const wrongs = [
        stoppedAt !== null && "the switch was off",
        end.isProtected && "it was protected",
        !end.isOurs && "it was launched elsewhere",
        (!truth || now - truth.heardAt > SILENT_MS) && "nobody heard it",
        truth && truth.workedAt === truth.heardAt && "it worked",
        end.policy === "idle_termination" &&
          truth &&
          now - truth.quietSince < IDLE_MS &&
          "it had worked or was unheard of late",
        end.policy === "lease" && (end.lease === null || end.lease.getTime() > now) && "its lease went on",
      ].filter((wrong) => typeof wrong === "string");
      return wrongs.map((wrong) => `machine ${end.externalId}: ended by policy (${end.policy}) though ${wrong}`);
    });
  }
}
