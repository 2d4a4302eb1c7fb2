/** Specs that need EventStoreDB alone. */
export const ON_EVENTSTOREDB = ['test/contracts/.*\\.eventstoredb\\.(slow\\.)?spec'];

/**
 * HTTP specs that can fail on one pair of engines and pass on the other: they query documents in many ways, wait for other
 * processes, or race. Decisions from events and from the directory in memory are the same on all engines.
 */
const HTTP = [
  'channels/(channels-race|many-leave)',
  'event-queues/(events|events-expiry|events-shutdown|register)\\.',
  'messages/(delete-|edit-message|message-history|move-messages|move-races|moved-message-access)',
  'messages/(reactions|read-receipts|send-message|topic-spellings)',
  'narrow/',
  'read-state/(mark-read|message-flags)',
  'users/(users|users-races)\\.spec',
];

/** Others, which take longer: storms, and specs that differ from those above by what they write rather than how. */
const LONGER_HTTP = [
  'channels/channels-storm',
  'drafts/',
  'event-queues/events-storm',
  'invitations/',
  'messages/moves-told',
  'personal/personal',
  'read-state/read-state-random',
  'typing/',
  'uploads/',
  'user-groups/user-groups-storm',
];

/** Faults of the embedded engines and their files: on other engines, these specs start the same servers once more. */
const EMBEDDED_FAULTS = [
  'damaged-documents',
  'deleted-content',
  'drafted-content',
  'forged-rows',
  'full-disk',
  'held-up-stop',
  'killed-backups',
  'missing-',
  'older-keys',
  'power-cut',
  'restored-positions',
  'unreadable-events',
];

/** Specs that need both engines. */
export const PARTS = {
  contracts: [
    'test/contracts/.*\\.mongodb\\.(slow\\.)?spec',
    'test/platform/mongodb/',
    'test/projections/runner/rebuild-goes-on\\.spec',
  ],
  proxy: ['test/mongodb-stand-in/'],
  server: [
    'test/app/(operations|roles/(beginning-of-effects|stalled-rebuild))\\.spec',
    'test/clients/zulip-js\\.spec',
    'test/history/',
    ...HTTP.map((path) => `test/http/${path}`),
  ],
  longer: [
    'test/app/cli/(copy-distributed|grant|reading-distributed|verify-documents)\\.(slow\\.)?spec',
    'test/features/event-queues/raised-feed\\.spec',
    ...LONGER_HTTP.map((path) => `test/http/${path}`),
  ],
  // All but specs of the edge alone, which have controllers of their own.
  http: ['test/http/(?!edge/)'],
  faults: [`test/faults/(?!${EMBEDDED_FAULTS.join('|')})`, 'test/projections/runner/builds-killed\\.mongodb'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Part = keyof typeof PARTS;

export const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

/** All parts. `http` includes the HTTP specs of `server` and `longer`. */
export const ON_BOTH: readonly string[] = [...new Set([...ON_EVENTSTOREDB, ...Object.values(PARTS).flat()])];

/** Exit code of the tests if MongoDB's stand-in has stopped answering: the results mean nothing. */
export const STAND_IN_HANGS = 75;
