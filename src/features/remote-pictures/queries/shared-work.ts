import { DomainError } from '../../../platform/kernel/deciding.js';
import { LruMap } from '../../../platform/kernel/lru-map.js';

interface Remembered {
  readonly error: DomainError;
  /** Milliseconds, as `now` counts. */
  readonly until: number;
}

const MOST_REMEMBERED = 10_000;

/**
 * Work by key, which runs once for all who ask at the same time. Its refusals are the answer for a while. A failure for another
 * reason, such as the limit of the account that asked first, concerns only the one who ran the work: the others try themselves.
 */
export class SharedWork {
  /** Each resolves when the work has ended, whatever its outcome. */
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly refused = new LruMap<string, Remembered>(MOST_REMEMBERED);

  /** @param remembered milliseconds for which a refusal is remembered */
  constructor(
    private readonly remembered: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @throws DomainError the remembered refusal; errors of the own work */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    for (;;) {
      const refused = this.refused.get(key);
      if (refused && this.now() < refused.until) throw refused.error;
      const running = this.running.get(key);
      if (!running) return this.begin(key, work());
      if (await running) return;
    }
  }

  private async begin(key: string, work: Promise<void>): Promise<void> {
    const ended = work.then(
      () => true,
      (error: unknown) => {
        const isForAll = error instanceof DomainError && error.code !== 'RATE_LIMIT_HIT';
        if (isForAll) this.refused.set(key, { error, until: this.now() + this.remembered });
        return false;
      },
    );
    this.running.set(
      key,
      ended.finally(() => this.running.delete(key)),
    );
    await work;
  }
}
