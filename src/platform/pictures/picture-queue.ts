import { Overloaded } from '../kernel/admission.js';
import { type Asker, assertConnected, disconnected } from '../kernel/client-connection.js';
import { refuse } from '../kernel/deciding.js';
import { FairLine } from '../kernel/fair-line.js';

export interface PictureQueueBounds {
  /** Pictures that are made at the same time. */
  readonly atOnce: number;
  /** Requests of one account that wait. */
  readonly mostWaitingEach: number;
  /** Requests of all accounts that wait. */
  readonly mostWaiting: number;
}

export const PICTURE_QUEUE_BOUNDS: PictureQueueBounds = { atOnce: 2, mostWaitingEach: 100, mostWaiting: 1_000 };

interface Waiting<Result> {
  readonly key: string | symbol;
  readonly work: () => Promise<Result>;
  readonly answer: (result: Promise<Result>) => void;
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Gives turns to the accounts that wait for pictures, one after the other, so that the many pictures of one account delay
 * the picture of another one by one at most. Requests for the same picture wait in the lines of their own accounts; the
 * first turn makes the picture for all of them.
 */
export class PictureQueue<Result> {
  private readonly atWork = new Map<string | symbol, Promise<Result>>();
  /** By account. */
  private readonly line = new FairLine<number, Waiting<Result>>();

  constructor(private readonly bounds = PICTURE_QUEUE_BOUNDS) {}

  get waiting(): number {
    return this.line.size;
  }

  /**
   * Runs the work when it is the account's turn, and not at all if the client hangs up before.
   *
   * @param key names the picture. The work of one key is the same, whoever asks
   * @throws DomainError RATE_LIMIT_HIT; Overloaded; errors of the work
   */
  async run(key: string | symbol, { account, connection }: Asker, work: () => Promise<Result>): Promise<Result> {
    assertConnected(connection);
    const running = this.atWork.get(key);
    if (running) return running;
    if (this.atWork.size < this.bounds.atOnce) return this.begin(key, work);
    this.assertRoom(account);
    return new Promise((resolve, reject) => {
      const waiting = { key, work, answer: resolve };
      this.line.add(account, waiting);
      connection.onEnd(() => {
        if (this.line.delete(account, waiting)) reject(disconnected());
      });
    });
  }

  private assertRoom(account: number): void {
    const { mostWaitingEach, mostWaiting } = this.bounds;
    if (this.line.sizeOf(account) >= mostWaitingEach) refuse('RATE_LIMIT_HIT', { 'retry-after': RETRY_AFTER_SECONDS });
    if (this.line.size >= mostWaiting) throw new Overloaded('too many pictures wait', RETRY_AFTER_SECONDS);
  }

  private begin(key: string | symbol, work: () => Promise<Result>): Promise<Result> {
    const running = work().finally(() => {
      this.atWork.delete(key);
      this.beginNext();
    });
    this.atWork.set(key, running);
    return running;
  }

  private beginNext(): void {
    const first = this.line.takeNext();
    if (!first) return;
    const running = this.begin(first.key, first.work);
    first.answer(running);
    for (const [account, waiting] of this.line.inOrder()) {
      if (waiting.key !== first.key) continue;
      this.line.delete(account, waiting);
      waiting.answer(running);
    }
  }
}
