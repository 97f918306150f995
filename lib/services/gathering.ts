export type GatheringLimits = {
  /** Writings under way at the same time. */
  lanes: number;
  /** Things in one writing, and what they may weigh together; a thing that weighs more is written alone. */
  most: number;
  heaviest: number;
};

/**
 * Things that come while others are being written wait for a lane, and all that wait are written as one: a burst costs few
 * writings, and what comes alone waits for nobody. `write` answers in the order given and must bear to be repeated: when it
 * throws over several things, each of them is tried alone, so that one that cannot be written spoils no other.
 */
export class Gathering<T, A> {
  private readonly waiting: Waiting<T, A>[] = [];
  private running = 0;

  constructor(
    private readonly write: (things: readonly T[]) => Promise<readonly A[]>,
    private readonly weightOf: (thing: T) => number,
    private readonly limits: GatheringLimits,
  ) {}

  add(thing: T): Promise<A> {
    return new Promise<A>((resolve, reject) => {
      this.waiting.push({ thing, resolve, reject });
      if (this.running < this.limits.lanes) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.running++;
    for (let next = this.take(); next.length > 0; next = this.take()) await this.settle(next);
    this.running--;
  }

  private take(): Waiting<T, A>[] {
    const taken: Waiting<T, A>[] = [];
    let weight = 0;
    for (let next = this.waiting[0]; next && taken.length < this.limits.most; next = this.waiting[0]) {
      weight += this.weightOf(next.thing);
      if (taken.length > 0 && weight > this.limits.heaviest) break;
      taken.push(next);
      this.waiting.shift();
    }
    return taken;
  }

  private async settle(them: readonly Waiting<T, A>[]): Promise<void> {
    try {
      const answers = await this.write(them.map(({ thing }) => thing));
      if (answers.length !== them.length) throw new Error(`${answers.length} answers to ${them.length} things`);
      for (const [i, answer] of answers.entries()) them[i]?.resolve(answer);
    } catch (error) {
      const [only] = them;
      if (them.length === 1) only?.reject(error);
      else for (const one of them) await this.settle([one]);
    }
  }
}

type Waiting<T, A> = { thing: T; resolve: (answer: A) => void; reject: (error: unknown) => void };
