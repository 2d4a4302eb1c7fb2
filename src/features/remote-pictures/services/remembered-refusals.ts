import { DomainError } from '../../../platform/kernel/deciding.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';

interface Remembered {
  readonly error: DomainError;
  /** Milliseconds, as `now` counts. */
  readonly until: number;
}

const MOST_REMEMBERED = 10_000;

/** Remembers for a while, by key, the refusals that are the same for everybody. The limit of an account is not. */
export class RememberedRefusals {
  private readonly refused = new LruMap<string, Remembered>(MOST_REMEMBERED);

  /** @param remembered milliseconds */
  constructor(
    private readonly remembered: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws DomainError the remembered refusal; errors of the work */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    this.throwRemembered(key);
    try {
      await work();
    } catch (error) {
      const isForAll = error instanceof DomainError && error.code !== 'RATE_LIMIT_HIT';
      if (isForAll) this.refused.set(key, { error, until: this.now() + this.remembered });
      throw error;
    }
  }

  throwRemembered(key: string): void {
    const refused = this.refused.get(key);
    if (refused && this.now() < refused.until) throw refused.error;
  }
}
