/** Specs that need EventStoreDB alone. */
export const ON_EVENTSTOREDB = ['test/contracts/.*\\.eventstoredb\\.spec'];

/**
 * HTTP specs that can fail on one pair of engines and pass on the other: they ask documents in many ways, keep files, wait
 * for what other processes may have done, or race. What is decided from events and from the directory in memory is the same
 * on all engines.
 */
const HTTP = [
  'channels/(channels-race|channels-storm|many-leave)',
  'drafts/',
  'event-queues/',
  'messages/(delete-|edit-message|message-history|move-messages|move-races|moved-message-access|moves-told)',
  'messages/(reactions|read-receipts|send-message|topic-spellings)',
  'narrow/',
  'personal/personal',
  'read-state/(mark-read|message-flags|read-state-random)',
  'typing/',
  'uploads/',
  'user-groups/user-groups-storm',
  'users/(users|users-races)\\.',
];

/** Specs that need both engines. */
export const PARTS = {
  contracts: ['test/contracts/.*\\.mongodb\\.spec', 'test/platform/mongodb/'],
  server: [
    'test/app/cli/(copy-distributed|grant|reading-distributed)\\.spec',
    'test/clients/',
    'test/history/',
    'test/features/event-queues/raised-feed\\.spec',
    ...HTTP.map((path) => `test/http/${path}`),
  ],
  // All but those about the edge alone, around controllers of their own.
  http: ['test/http/(?!edge/)'],
  // All specs except those about the files of the embedded engines.
  faults: ['test/faults/(?!(deleted|drafted)-content)'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Part = keyof typeof PARTS;

export const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

/** The whole of it: `http` has what `server` has of it. */
export const ON_BOTH: readonly string[] = [...new Set([...ON_EVENTSTOREDB, ...Object.values(PARTS).flat()])];

/** Exit code of the tests if the database that stands in for MongoDB has stopped answering: nothing is known of what was tested. */
export const STAND_IN_HANGS = 75;
