// Projections for the runner's own specs, as a module that a rebuild thread can load too.
import { isMainThread } from 'node:worker_threads';

const insert = (collection, document) => ({
  collection,
  operation: { replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } },
});

/** Who is in the organisation; reads what it wrote. @param version 2 keeps names in capitals */
const rosterOf = (version) => ({
  name: 'roster',
  version,
  collections: { people: { indexes: [{ keys: { active: 1, _id: 1 } }] } },
  on: {
    UserCreated: ({ data, position }) => [
      insert('people', {
        _id: data.userId,
        name: version === 1 ? data.fullName : data.fullName.toUpperCase(),
        active: true,
        position,
      }),
    ],
    UserDeactivated: async ({ data, position }, documents) => {
      const person = await documents.collection('people').findOne({ _id: data.userId });
      return person ? [insert('people', { ...person, active: false, position })] : [];
    },
  },
});

export const roster = rosterOf(1);
export const rosterRaised = rosterOf(2);

/** How often each event has been applied: wrong on purpose, an event that comes twice is told. */
export const applications = {
  name: 'applications',
  version: 1,
  collections: { counts: {} },
  on: Object.fromEntries(
    ['UserCreated', 'UserDeactivated', 'OrganizationCreated'].map((type) => [
      type,
      async ({ id }, documents) => {
        const before = await documents.collection('counts').findOne({ _id: id });
        return [insert('counts', { _id: id, times: (before?.times ?? 0) + 1 })];
      },
    ]),
  ),
};

/** Refuses a user called "refused"; some others only on a rebuild thread, one of them by ending it. */
export const delicate = {
  name: 'delicate',
  version: 1,
  collections: { people: {} },
  on: {
    UserCreated: ({ data, position }) => {
      if (data.fullName === 'refused') throw new Error('this one is refused');
      if (data.fullName === 'refused while rebuilding' && !isMainThread) throw new Error('not while rebuilding');
      if (data.fullName === 'deadly' && !isMainThread) process.exit(3);
      return [insert('people', { _id: data.userId, name: data.fullName, position })];
    },
  },
};

export const projections = [roster, applications, delicate];
