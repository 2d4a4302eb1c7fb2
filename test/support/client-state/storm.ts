import { dice, oneOf, type Roll } from '../dice.js';

/** One kind of change that a storm makes. A change may be refused, and may change nothing. */
export interface Act {
  /** Completes "step 7: "; a failure names it. */
  readonly name: string;
  /** How often the act is drawn, compared with the others; 1 unless given. */
  readonly weight?: number;
  run(roll: Roll): Promise<unknown>;
}

/** Plays acts drawn by dice. The same seed draws the same acts if the acts throw the dice in the same way. */
export class Storm {
  private readonly roll: Roll;
  private readonly draws: readonly Act[];
  private steps = 0;

  constructor(
    private readonly seed: number,
    acts: readonly Act[],
  ) {
    this.roll = dice(seed);
    this.draws = acts.flatMap((act) => Array.from({ length: act.weight ?? 1 }, () => act));
  }

  /** @param after checks what the act has left; a failure names the act, too */
  async step(after: (step: number) => Promise<void> = async () => {}): Promise<void> {
    const step = this.steps++;
    const act = oneOf(this.draws, this.roll);
    try {
      await act.run(this.roll);
      await after(step);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`storm ${this.seed}, step ${step}: ${act.name}: ${message}`, { cause });
    }
  }

  /** @param hands number of steps that run at the same time */
  async blow(steps: number, hands = 1): Promise<void> {
    let left = steps;
    const hand = async (): Promise<void> => {
      while (left-- > 0) await this.step();
    };
    await Promise.all(Array.from({ length: hands }, hand));
  }
}
