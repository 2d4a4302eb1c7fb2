import { describe, expect, it } from '@jest/globals';
import { NO_CLIENT, type WatchedConnection } from '../../../src/platform/kernel/client-connection.js';
import { PictureQueue, type PictureQueueBounds } from '../../../src/platform/pictures/picture-queue.js';
import { HangingUp } from '../../support/requests/asker.js';

const [LOUD, QUIET, OTHER] = [1, 2, 3];

/** Pictures that end one by one, when the test says so. */
class Pictures {
  readonly begun: string[] = [];
  private readonly queue: PictureQueue<string>;
  private readonly atWork: (() => void)[] = [];

  constructor(bounds: Partial<PictureQueueBounds> = {}) {
    this.queue = new PictureQueue({ atOnce: 2, mostWaitingEach: 1000, mostWaiting: 2000, ...bounds });
  }

  get waiting(): number {
    return this.queue.waiting;
  }

  ask(account: number, name: string, client: WatchedConnection = NO_CLIENT): Promise<string> {
    return this.queue.run(name, { account, connection: client }, async () => {
      this.begun.push(name);
      await new Promise<void>((resolve) => this.atWork.push(resolve));
      if (name.startsWith('broken')) throw new Error(`${name} is broken`);
      return `${name}, made`;
    });
  }

  askMany(account: number, count: number): Promise<PromiseSettledResult<string>[]> {
    return Promise.allSettled(Array.from({ length: count }, (_, n) => this.ask(account, `${account}/${n}`)));
  }

  /** Ends the picture that has begun first; resolves when another one could begin. */
  async endOne(): Promise<void> {
    this.atWork.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }

  async endAll(): Promise<void> {
    while (this.atWork.length > 0) await this.endOne();
  }
}

describe('the queue of pictures', () => {
  it('lets an account with 500 waiting pictures delay the picture of another one by one', async () => {
    const pictures = new Pictures();
    const loud = pictures.askMany(LOUD, 502);
    const quiet = pictures.ask(QUIET, 'quiet');
    expect([pictures.begun, pictures.waiting]).toEqual([['1/0', '1/1'], 501]);

    await pictures.endOne();
    await pictures.endOne();

    expect(pictures.begun).toEqual(['1/0', '1/1', '1/2', 'quiet']);
    await pictures.endAll();
    expect(await quiet).toBe('quiet, made');
    expect((await loud).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(pictures.waiting).toBe(0);
  });

  it('gives turns to all accounts, and keeps the order of each', async () => {
    const pictures = new Pictures({ atOnce: 1 });
    const all = [LOUD, QUIET, OTHER].map((account) => pictures.askMany(account, 3));
    await pictures.endAll();
    await Promise.all(all);
    expect(pictures.begun).toEqual(['1/0', '1/1', '2/0', '3/0', '1/2', '2/1', '3/1', '2/2', '3/2']);
  });

  it('bounds the requests of an account, and those of all', async () => {
    const pictures = new Pictures({ atOnce: 1, mostWaitingEach: 3, mostWaiting: 5 });
    const many = [pictures.askMany(LOUD, 4), pictures.askMany(QUIET, 2)];
    await expect(pictures.ask(LOUD, 'more')).rejects.toMatchObject({
      code: 'RATE_LIMIT_HIT',
      data: { 'retry-after': 5 },
    });
    await expect(pictures.ask(OTHER, 'other')).rejects.toMatchObject({ name: 'Overloaded', retryAfterSeconds: 5 });

    await pictures.endOne();

    const later = pictures.ask(OTHER, 'other');
    await pictures.endAll();
    expect(await later).toBe('other, made');
    await Promise.all(many);
    expect(pictures.begun).not.toContain('more');
  });

  it('is left by a client that hangs up, and nothing is made for it', async () => {
    const pictures = new Pictures({ atOnce: 1, mostWaitingEach: 1 });
    const first = pictures.ask(LOUD, 'first');
    const client = new HangingUp();
    const second = pictures.ask(LOUD, 'second', client);
    await expect(pictures.ask(LOUD, 'third')).rejects.toMatchObject({ code: 'RATE_LIMIT_HIT' });

    client.hangUp();

    await expect(second).rejects.toMatchObject({ name: 'Overloaded' });
    expect(pictures.waiting).toBe(0);
    await expect(pictures.ask(QUIET, 'second', client)).rejects.toMatchObject({ name: 'Overloaded' });
    const third = pictures.ask(LOUD, 'third');
    await pictures.endAll();
    expect([await first, await third]).toEqual(['first, made', 'third, made']);
    expect(pictures.begun).toEqual(['first', 'third']);
  });

  it('makes a picture once for all who ask, at the first of their turns', async () => {
    const pictures = new Pictures({ atOnce: 1 });
    const loud = pictures.askMany(LOUD, 20);
    const client = new HangingUp();
    const shared = [
      pictures.ask(LOUD, 'shared'),
      pictures.ask(LOUD, 'shared', client),
      pictures.ask(QUIET, 'shared'),
      pictures.ask(OTHER, 'shared'),
    ];
    await pictures.endOne();
    await pictures.endOne();
    expect(pictures.begun).toEqual(['1/0', '1/1', 'shared']);
    expect(pictures.waiting).toBe(18);
    // It has begun: whoever hangs up now has nothing to leave, and whoever asks now joins.
    client.hangUp();
    shared.push(pictures.ask(OTHER, 'shared'));
    await pictures.endAll();
    expect(await Promise.all(shared)).toEqual(Array(5).fill('shared, made'));
    expect(pictures.begun.filter((name) => name === 'shared')).toHaveLength(1);
    await loud;
  });

  it('goes on after a picture that fails, whose error all have who asked for it', async () => {
    const pictures = new Pictures({ atOnce: 1 });
    const first = pictures.ask(LOUD, 'first');
    const broken = [LOUD, QUIET].map((account) => pictures.ask(account, 'broken'));
    const last = pictures.ask(OTHER, 'last');
    const failures = Promise.allSettled(broken);
    await pictures.endAll();
    expect(await Promise.all([first, last])).toEqual(['first, made', 'last, made']);
    expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
