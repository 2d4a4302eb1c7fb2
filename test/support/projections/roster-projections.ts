// Projections for the runner's specs. A rebuild thread can load this module.
import { isMainThread } from 'node:worker_threads';
import type { UserEvent } from '../../../src/events/users/users.events.js';
import type { StoredDocument } from '../../../src/platform/documents/document-store.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import {
  type Change,
  insert,
  type OwnDocuments,
  type Projection,
  projection,
} from '../../../src/platform/read-models/projection.js';

const HOUR_MS = 3_600_000;

const put = <D extends StoredDocument>(collection: string, document: D): Change => insert(collection, document);

/** The users, by documents that it reads back. @param version 2 stores names in capitals */
const rosterOf = (version: 1 | 2): Projection =>
  projection<UserEvent>({
    name: 'roster',
    version,
    collections: { people: { indexes: [{ keys: { active: 1, _id: 1 } }] } },
    on: {
      UserCreated: ({ data, position }) => [
        put('people', {
          _id: data.userId,
          name: version === 1 ? data.fullName : data.fullName.toUpperCase(),
          active: true,
          position,
        }),
      ],
      UserDeactivated: async ({ data, position }, documents) => {
        const person = await documents.collection('people').findOne({ _id: data.userId });
        return person ? [put('people', { ...person, active: false, position })] : [];
      },
    },
  });

export const roster = rosterOf(1);
export const rosterRaised = rosterOf(2);

interface Count extends StoredDocument {
  readonly times: number;
}

/** Counts how often each event is applied. Wrong on purpose: a repeated event changes it. */
export const applications: Projection = {
  name: 'applications',
  version: 1,
  collections: { counts: {} },
  on: Object.fromEntries(
    ['UserCreated', 'UserDeactivated', 'OrganizationCreated'].map((type) => [
      type,
      async ({ id }: Recorded, documents: OwnDocuments) => {
        const before = await documents.collection<Count>('counts').findOne({ _id: id });
        return [put('counts', { _id: id, times: (before?.times ?? 0) + 1 })];
      },
    ]),
  ),
};

/** Fails at a user called "refused". At other names it fails on a rebuild thread only, ends the thread, or never ends there. */
export const delicate = projection<UserEvent>({
  name: 'delicate',
  version: 1,
  collections: { people: {} },
  on: {
    UserCreated: ({ data, position }) => {
      if (data.fullName === 'refused') throw new Error('this one is refused');
      if (data.fullName === 'refused while rebuilding' && !isMainThread) throw new Error('not while rebuilding');
      if (data.fullName === 'deadly' && !isMainThread) process.exit(3);
      if (data.fullName === 'endless' && !isMainThread)
        return new Promise((resolve) => setTimeout(resolve, HOUR_MS, []));
      return [put('people', { _id: data.userId, name: data.fullName, position })];
    },
  },
});

export const projections: readonly Projection[] = [roster, applications, delicate];

export { eventRegistry } from '../../../src/events/event-registry.js';
