import { RememberedRefusals } from './remembered-refusals.js';

/**
 * Work by key, which runs once for all who ask at the same time. Its refusals are the answer for a while. A failure for
 * another reason, such as the limit of the account that asked first, concerns only the one who ran the work: the others
 * try themselves.
 */
export class SharedWork {
  /** Each resolves when the work has ended, whatever its outcome. */
  private readonly running = new Map<string, Promise<boolean>>();
  private readonly refusals: RememberedRefusals;

  /** @param remembered milliseconds for which a refusal is remembered */
  constructor(remembered: number, now?: () => number) {
    this.refusals = new RememberedRefusals(remembered, now);
  }

  /** @throws DomainError the remembered refusal; errors of the own work */
  async run(key: string, work: () => Promise<void>): Promise<void> {
    for (;;) {
      this.refusals.throwRemembered(key);
      const running = this.running.get(key);
      if (!running) return this.begin(key, this.refusals.run(key, work));
      if (await running) return;
    }
  }

  private async begin(key: string, work: Promise<void>): Promise<void> {
    const ended = work.then(
      () => true,
      () => false,
    );
    this.running.set(
      key,
      ended.finally(() => this.running.delete(key)),
    );
    await work;
  }
}
