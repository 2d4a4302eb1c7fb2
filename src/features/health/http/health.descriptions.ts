import type { Descriptions } from '../../../platform/http/openapi/described-api.js';
import {
  listOf,
  objectOf,
  type Schema,
  text,
  textOrNull,
  whole,
  wholeOrNull,
  yesOrNo,
} from '../../../platform/http/openapi/schema.js';

const fraction: Schema = { type: 'number' };
const orNull = (schema: Schema): Schema => ({ ...schema, type: ['object', 'null'] });
const time: Schema = { ...whole, description: 'Milliseconds since 1970' };

const engine = objectOf({
  reachable: yesOrNo,
  answeredMsAgo: { ...wholeOrNull, description: 'Milliseconds since its last answer; null: never' },
});

const place = { type: text, eventId: text, stream: text, revision: whole };

const progress = objectOf({
  projections: { ...listOf(text), description: 'The projections that are built together' },
  done: { ...whole, description: 'Events applied so far' },
  total: { ...whole, description: 'Events to apply: an estimate' },
  eventsPerSecond: { type: 'number' },
  secondsLeft: { type: ['number', 'null'], description: 'null until it can be estimated, and at the end of the log' },
  position: whole,
  head: { ...whole, description: 'Up to where the log is' },
  stall: { ...orNull(objectOf({ message: text, since: time })), description: 'Set while the build makes no headway' },
});

const failure = objectOf(
  { message: text, position: wholeOrNull, eventId: textOrNull, eventType: textOrNull, unreadable: text, at: time },
  ['unreadable'],
);

const projection = objectOf({
  name: text,
  version: whole,
  state: { ...text, enum: ['running', 'rebuilding', 'failed', 'stalled'] },
  database: { ...textOrNull, description: 'The documents that are read; null before the first build is done' },
  position: { ...whole, description: 'Up to where in the log the documents are' },
  upToDate: yesOrNo,
  error: orNull(failure),
  buildError: {
    ...orNull(failure),
    description: 'Why the last build has failed; null: it has not, or another one has begun',
  },
  progress: { ...orNull(progress), description: 'How far a build is; null: none is under way' },
  changedAt: time,
});

const percentiles = objectOf({
  p50: { ...fraction, description: 'Half are at most this: milliseconds' },
  p99: { ...fraction, description: '99 % are at most this: milliseconds' },
});

const figures = objectOf({
  startedAt: { ...time, description: 'Milliseconds since 1970; another time means another process, with other counts' },
  messagesSent: { ...whole, description: 'Messages sent since the start' },
  requests: { ...wholeOrNull, description: 'Answered requests since the start; null: the process answers no clients' },
  requestMs: {
    ...orNull(percentiles),
    description: 'How long requests of the last minute took, without polls that waited; null: there were none',
  },
  eventQueues: { ...wholeOrNull, description: 'Event queues of all processes, as of 5 s ago; null: not known' },
  residentBytes: { ...whole, description: 'Memory of the process' },
  heapBytes: { ...whole, description: 'What JavaScript uses of it, on the thread that answers' },
  eventLoopDelayMs: {
    ...orNull(percentiles),
    description: 'By how much timers of the last minute were late; null: not known yet',
  },
});

export const descriptions: Descriptions = {
  'GET /health': {
    id: 'get-health',
    tag: 'server_and_organizations',
    summary: 'Tell how the process that answers does: engines, read models, what could not be handled.',
    text: 'For administrators, and those who may audit. Before the process can answer clients, `/health/ready` alone says so, and `annals status` tells the rest.',
    answer: {
      ready: { ...yesOrNo, description: 'Whether the process can do its work' },
      logEnd: { ...whole, description: 'Position of the newest event of the log' },
      engines: objectOf({ log: engine, documents: engine }),
      projections: listOf(projection),
      damagedFiles: listOf(objectOf({ fault: { ...text, enum: ['missing', 'changed'] }, ...place, at: time })),
      process: {
        ...orNull(figures),
        description: 'How much the process does, and what it takes; null: it has only begun to start',
      },
      passedOver: {
        ...orNull(
          objectOf({
            count: whole,
            newest: listOf(objectOf({ follower: text, ...place, position: whole, error: text, at: time })),
          }),
        ),
        description: 'Events that followers of the log could not handle; null: not known yet',
      },
      checkpoints: {
        ...orNull(
          objectOf({
            size: wholeOrNull,
            alarms: listOf(text),
            witnesses: listOf(objectOf({ name: text, size: whole, problem: textOrNull })),
          }),
        ),
        description: 'The signed checkpoints of the log; null: not known yet',
      },
      verification: {
        ...orNull(
          objectOf({
            result: { ...text, enum: ['right', 'wrong', 'interrupted', 'running'] },
            startedAt: { ...text, format: 'date-time' },
            endedAt: { ...textOrNull, format: 'date-time' },
            doing: textOrNull,
            percent: wholeOrNull,
            said: listOf(text),
          }),
        ),
        description: 'The verification that ran last by itself; null: none has',
      },
      backup: {
        ...orNull(
          objectOf({
            endedAt: { ...text, format: 'date-time' },
            through: { ...whole, description: 'Position of the newest event in it' },
            faults: { ...whole, description: 'Number of files in it that are not as the log says' },
          }),
        ),
        description: 'The backup that `annals backup` made last; null: none is known',
      },
    },
  },
};
