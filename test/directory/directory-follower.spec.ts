import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { directoryProjection } from '../../projections/directory/directory.projection.js';
import { Directory } from '../../src/directory/directory.js';
import { DirectoryFollower, type DirectoryFollowerOptions } from '../../src/directory/directory-follower.js';
import { eventRegistry } from '../../src/events/event-registry.js';
import { UnavailableError } from '../../src/platform/kernel/outcome-errors.js';
import type { Position } from '../../src/platform/kernel/position.js';
import { EventCodec } from '../../src/platform/log/event-codec.js';
import { type Batch, type EventStore, EventStoreUnavailable } from '../../src/platform/log/event-store.js';
import { eventually } from '../support/eventually.js';
import { keyIssued, Roster, userCreated, userDeactivated } from '../support/projections/roster.js';
import { withScratch } from '../support/scratch.js';

Logger.overrideLogger(false);

interface Process {
  readonly server: Roster;
  readonly directory: Directory;
  readonly follower: DirectoryFollower;
}

/** Runs `work` on a directory over real engines. `before` runs when the documents exist, before the directory starts. */
const following = (
  work: (process: Process) => Promise<void>,
  before: (server: Roster) => Promise<Partial<DirectoryFollowerOptions>> = async () => ({}),
) =>
  withScratch(async (dataDirectory) => {
    const server = await Roster.start({ dataDirectory, projections: [directoryProjection] });
    const directory = new Directory();
    const follower = new DirectoryFollower({
      projection: directoryProjection,
      eventStore: server.engines.eventStore,
      codec: new EventCodec(server.engines.contentKeys, eventRegistry),
      readModels: server.runner,
      directory,
      ...(await before(server)),
    });
    try {
      await follower.start();
      await work({ server, directory, follower });
    } finally {
      await follower.close();
      await server.close();
    }
  });

/** Records the calls to a log, and can make it unavailable or slow. */
class Watched implements EventStore {
  readonly subscribedAfter: Position[] = [];
  away = false;
  /** `head` answers after this promise. */
  busy: Promise<void> = Promise.resolve();
  asked = 0;
  readonly idMemory = 'for ever';
  readonly knownHead = null;

  constructor(private readonly store: EventStore) {}

  append: EventStore['append'] = (...call) => this.store.append(...call);
  readStream: EventStore['readStream'] = (...call) => this.store.readStream(...call);
  readAll: EventStore['readAll'] = (...call) => this.store.readAll(...call);
  close: EventStore['close'] = () => this.store.close();

  async head(): Promise<Position> {
    this.requireHere();
    this.asked += 1;
    await this.busy;
    return this.store.head();
  }

  async *subscribe(options: Parameters<EventStore['subscribe']>[0]): AsyncGenerator<Batch> {
    this.requireHere();
    this.subscribedAfter.push(options.after);
    for await (const batch of this.store.subscribe(options)) {
      this.requireHere();
      yield batch;
    }
  }

  private requireHere(): void {
    if (this.away) throw new EventStoreUnavailable('away', 'no');
  }
}

const watched = (clock?: () => number) => {
  const logs: Watched[] = [];
  const before = async (server: Roster): Promise<Partial<DirectoryFollowerOptions>> => {
    const log = new Watched(server.engines.eventStore);
    logs.push(log);
    return { eventStore: log, confirmEvery: 5, ...(clock ? { clock } : {}) };
  };
  const log = (): Watched => {
    const [first] = logs;
    if (!first) throw new Error('not started');
    return first;
  };
  return { before, log };
};

describe('the directory of a process', () => {
  it('starts from the documents, and reads only the later events of the log', () => {
    const { before, log } = watched();
    let position: Position = 0;
    return following(
      async ({ directory }) => {
        expect(directory.allUsers().map(({ fullName }) => fullName)).toEqual(['User 1', 'User 2']);
        expect(directory.user(2)?.isActive).toBe(false);
        expect(log().subscribedAfter).toEqual([position]);
      },
      async (server) => {
        position = await server.append(userCreated(1), userCreated(2), keyIssued(2), userDeactivated(2));
        await server.runner.waitFor([directoryProjection], position);
        return before(server);
      },
    );
  });

  it('reads the whole log if there are no documents yet', () =>
    following(
      async ({ directory }) => expect(directory.allUsers()).toHaveLength(1),
      async (server) => {
        await server.append(userCreated(1));
        return {
          readModels: {
            position: () => 0,
            collection: () => {
              throw new UnavailableError('being built');
            },
            waitFor: () => Promise.resolve(),
            onApplied: () => () => {},
          },
        };
      },
    ));

  it('follows the log, and counts events that it does not handle', () =>
    following(async ({ server, directory, follower }) => {
      await follower.waitFor(await server.append(userCreated(1), keyIssued(1)));
      expect(directory.userByKeyHash('aa')?._id).toBe(1);

      const heard: Position[] = [];
      const stop = follower.onApplied((position) => heard.push(position));
      const queue = { type: 'QueueDeleted', data: { queueId: 'q' } };
      const position = await server.append(queue);
      await follower.waitFor(position);
      expect(directory.position).toBe(position);
      expect(heard).toEqual([position]);
      stop();
    }));

  it('is fresh for 5 s after the log has confirmed that nothing is missing', async () => {
    let now = 1_000_000;
    const { before, log } = watched(() => now);
    await following(async ({ server, directory, follower }) => {
      await eventually(() => expect(follower.isFresh()).toBe(true));
      now += 60_000;
      await eventually(() => expect(follower.isFresh()).toBe(true));

      log().away = true;
      // A running request may still confirm the time at which it was sent.
      now += 5_001;
      expect(follower.isFresh()).toBe(false);
      await expect(follower.freshen()).rejects.toThrow(UnavailableError);
      await server.append(userCreated(1));

      log().away = false;
      await eventually(() => expect(follower.isFresh()).toBe(true));
      await follower.freshen();
      await eventually(() => expect(directory.user(1)).toBeDefined());
      expect(log().subscribedAfter.length).toBeGreaterThan(1);
    }, before);
  });

  it('is waited for if the log is slow but available', async () => {
    let now = 1_000_000;
    const { before, log } = watched(() => now);
    await following(async ({ follower }) => {
      await eventually(() => expect(follower.isFresh()).toBe(true));
      const { asked } = log();
      let answer = (): void => {};
      log().busy = new Promise((resolve) => {
        answer = resolve;
      });
      await eventually(() => expect(log().asked).toBeGreaterThan(asked));
      now += 5_001;
      expect(follower.isFresh()).toBe(false);
      const freshened = Promise.all([follower.freshen(), follower.freshen()]);
      answer();
      await freshened;
      expect(follower.isFresh()).toBe(true);
    }, before);
  });

  it('catches up with the events that are in the log, and waits for a log that is away for a moment', async () => {
    const { before, log } = watched();
    await following(async ({ server, directory, follower }) => {
      await eventually(() => expect(follower.isFresh()).toBe(true));
      // Nobody but the log can tell.
      expect(follower.isCaughtUp()).toBe(false);
      log().away = true;
      await server.append(userCreated(1));
      const caughtUp = follower.catchUp().then(() => directory.user(1));
      await eventually(() => expect(follower.isConfirmed()).toBe(true));
      log().away = false;
      expect(await caughtUp).toBeDefined();
    }, before);
  });

  it('says that it is still behind to those who may not go on without it', () =>
    following(
      async ({ server, follower }) => {
        const position = await server.append(userCreated(1));
        await follower.reach(position);
        await expect(follower.reach(position + 1)).rejects.toThrow(UnavailableError);
      },
      async () => ({ longestWait: 20 }),
    ));

  it('is known to be caught up without a question to the log if only this process appends', () =>
    following(async ({ server, follower }) => {
      const position = await server.append(userCreated(1));
      await follower.waitFor(position);
      expect(follower.isCaughtUp()).toBe(true);
      const next = server.append(userCreated(2));
      await eventually(() => expect(server.engines.eventStore.knownHead).toBeGreaterThan(position));
      await follower.catchUp();
      expect(follower.directory.position).toBe(await next);
    }));

  it('is fresh only after the process has reached the other processes again', async () => {
    let knownSince: number | null = null;
    let isCutOff = true;
    const membership = { knownSince: () => knownSince, isCutOff: () => isCutOff };
    await following(
      async ({ follower }) => {
        await eventually(() => expect(follower.isConfirmed()).toBe(true));
        await expect(follower.freshen()).rejects.toThrow('the other processes have not been reached');
        knownSince = performance.now();
        expect(follower.isFresh()).toBe(false);
        isCutOff = false;
        await follower.freshen();
      },
      async () => ({ membership }),
    );
  });
});
