import type { Ctx, UserActor } from "@/lib/domain/access";
import { Guardrails, NO_GUARDRAILS, TERMINATE_APPROVALS } from "@/lib/domain/intents/guardrails";
import { AppError } from "@/lib/errors";
import { changeGuardrails } from "@/lib/services/guardrails";
import { approveMany, breakGlassMany, readApprovals, refuseMany } from "@/lib/services/intents/approvals";
import type { Dice } from "./chaos-dice";
import { as } from "./people";
import type { World } from "./world";

type Somebody = Ctx & { actor: UserActor };
/** Sends a form once, twice, or again. */
export type Click = (act: () => Promise<unknown>) => Promise<void>;

/** Three machines at once cost more. */
const LAUNCH_LIMIT = "5000000";
const EXPIRES_MS = 15 * 60_000;

/** A house that asks for a second person now and then, and the people who agree, refuse, or do not look in time. */
export class Deciders {
  readonly told = { approvals: 0, refusals: 0, glass: 0, own: 0 };

  private constructor(
    private readonly world: World,
    private readonly people: readonly Somebody[],
    private readonly asker: Somebody,
    private readonly boss: Somebody,
    private readonly dice: Dice,
  ) {}

  static async gather(world: World, asker: Somebody, dice: Dice): Promise<Deciders> {
    const { now } = world.ctx();
    const [boss, finance, viewer] = [await as("admin", now), await as("finance", now), await as("viewer", now)];
    await changeGuardrails(boss, NO_GUARDRAILS);
    return new Deciders(world, [boss, boss, boss, asker, finance, viewer], asker, boss, dice);
  }

  readonly admin = (): Ctx => this.fresh(this.boss);

  private fresh(somebody: Somebody): Ctx {
    const { now } = this.world.ctx();
    return { ...somebody, now, actor: { ...somebody.actor, signedInAt: now } };
  }

  /** From now on the house asks for nobody; what waits already goes on waiting. */
  async rest(): Promise<void> {
    await changeGuardrails(this.admin(), NO_GUARDRAILS);
  }

  /** The house changes its mind about what needs a second person. */
  async changeRules(): Promise<void> {
    const { dice } = this;
    const approval = {
      launchAboveMicrosPerHour: dice.happens(0.5) ? LAUNCH_LIMIT : null,
      terminate: dice.happens(0.5) ? "never" : dice.pick(TERMINATE_APPROVALS),
      expiresMs: EXPIRES_MS,
    };
    await changeGuardrails(this.admin(), Guardrails.parse({ approval }));
  }

  /** Somebody looks at what waits and decides one of it, whoever asked, and whether they may or not. */
  async decide(click: Click): Promise<void> {
    const { dice } = this;
    // Whoever asked tries it themselves at least once.
    const who = this.told.own === 0 && dice.happens(0.3) ? this.asker : (dice.pick(this.people) ?? this.boss);
    const act = dice.pick((await readApprovals(this.fresh(who))).waiting);
    const what = dice.draw();
    if (!act) return;
    const intentIds = act.intents.map(({ id }) => id);
    if (what < 0.65) {
      const intents = act.intents.map(({ id, planHash, evidence }) => ({
        intentId: id,
        planHash,
        seen: evidence?.seen ?? null,
      }));
      await click(() => this.counted(() => approveMany(this.fresh(who), { intents }), "approvals", act.isOwn));
    } else if (what < 0.8) {
      const reason = "Not today";
      await click(() => this.counted(() => refuseMany(this.fresh(who), { intentIds, reason }), "refusals", false));
    } else if (what < 0.85) {
      const reason = "Nobody else is awake";
      await click(() => this.counted(() => breakGlassMany(this.fresh(who), { intentIds, reason }), "glass", false));
    }
  }

  private async counted(
    act: () => Promise<unknown>,
    what: "approvals" | "refusals" | "glass",
    isOwn: boolean,
  ): Promise<void> {
    try {
      await act();
      this.told[what] += 1;
    } catch (error) {
      if (isOwn && error instanceof AppError && error.code === "forbidden") this.told.own += 1;
      throw error;
    }
  }
}
