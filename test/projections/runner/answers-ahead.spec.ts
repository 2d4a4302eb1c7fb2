import { expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import type { StoredDocument } from '../../../src/platform/documents/document-store.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { insert, projection } from '../../../src/platform/read-models/projection.js';
import { Roster, userCreated } from '../../support/projections/roster.js';
import { withScratch } from '../../support/scratch.js';

Logger.overrideLogger(false);

const PEOPLE = 'people';

interface Course {
  readonly server: Roster;
  readonly slow: Projection;
  /** From now on, events are applied. */
  readonly go: () => void;
  readonly find: (freshness?: 'as stored') => Promise<StoredDocument | null>;
}

/** A runner whose one projection applies nothing before `go`. */
const withSlow = (work: (course: Course) => Promise<void>, longestWait = 600_000): Promise<void> =>
  withScratch(async (dataDirectory) => {
    const going = new Deferred<void>();
    const slow = projection<UserEvent>({
      name: 'slow',
      version: 1,
      collections: { [PEOPLE]: {} },
      on: {
        UserCreated: async ({ data }) => {
          await going.promise;
          const person: StoredDocument = { _id: data.userId };
          return [insert(PEOPLE, person)];
        },
      },
    });
    const server = await Roster.start({ dataDirectory, projections: [slow], longestWait });
    const find: Course['find'] = (freshness) => server.runner.collection(slow, PEOPLE, freshness).findOne({ _id: 1 });
    try {
      await work({ server, slow, go: () => going.resolve(), find });
    } finally {
      going.resolve();
      await server.close();
    }
  });

it('a command is answered ahead of its documents, and whoever reads them then waits', () =>
  withSlow(async ({ server, slow, go, find }) => {
    const position = await server.append(userCreated(1));
    await server.runner.acknowledge([slow], position);
    expect(await find('as stored')).toBeNull();
    const asked = Promise.all([find(), server.runner.acknowledged()]);
    expect(server.runner.position(slow)).toBeLessThan(position);
    go();
    expect(await asked).toEqual([{ _id: 1 }, undefined]);
    expect(server.runner.position(slow)).toBeGreaterThanOrEqual(position);
    expect(server.runner.acknowledged()).toBeNull();
  }));

it('nobody waits for what is in the log alone: it may not be answered yet', () =>
  withSlow(async ({ server, find }) => {
    await server.append(userCreated(1));
    expect(server.runner.acknowledged()).toBeNull();
    expect(await find()).toBeNull();
  }));

it('no answer is far ahead of the documents', () =>
  withSlow(async ({ server, slow, go }) => {
    for (let userId = 1; userId < 600; userId++) await server.append(userCreated(userId));
    const head = await server.engines.eventStore.head();
    let isAnswered = false;
    const answer = server.runner.acknowledge([slow], head).then(() => {
      isAnswered = true;
    });
    await server.runner.acknowledge([slow], 1);
    expect(isAnswered).toBe(false);
    go();
    await answer;
  }));

it('documents that stand still are waited for once', () =>
  withSlow(async ({ server, slow, find }) => {
    const position = await server.append(userCreated(1));
    await server.runner.acknowledge([slow], position);
    expect(await find()).toBeNull();
    expect(server.runner.acknowledged()).toBeNull();
  }, 50));
