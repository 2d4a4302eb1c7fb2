import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { namesGiven } from '../../../projections/audit/names.js';
import { type AuditOptions, printAudit } from '../../../src/app/cli/print-audit.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { Scene } from '../../support/client-state/scene.js';
import { Storm } from '../../support/client-state/storm.js';
import { dice, oneOf, type Roll } from '../../support/dice.js';
import { actsOn } from '../event-queues/events-storm.js';
import { auditFold, type Question } from './audit-fold.js';

const QUESTIONS = 250;
/** Each starts anew, with engines of its own. */
const ASKED_BY_COMMAND = 60;

type Maker = (event: Recorded, roll: Roll) => Partial<Question>;

const text = (value: unknown, roll: Roll): string => (roll(2) === 0 ? String(value) : String(value).toUpperCase());

/** Parameters that ask for an event, by what it has; other events may share it, or none. */
const MAKERS: readonly Maker[] = [
  (event) => {
    const [message_id = 1] = concernedBy(event).messageIds ?? [];
    return { message_id };
  },
  (event) => {
    const [channel_id = 1] = concernedBy(event).channelIds ?? [];
    return { channel_id };
  },
  (event, roll) => {
    const topics = concernedBy(event).topics ?? [];
    const { channelId, topic } = topics.length > 0 ? oneOf(topics, roll) : { channelId: 1, topic: 'none' };
    return { channel_id: channelId, topic: text(topic, roll) };
  },
  (event) => {
    const [subject_user_id = 1] = concernedBy(event).userIds ?? [];
    return { subject_user_id };
  },
  ({ metadata: { actorId } }) => ({ actor: String(actorId ?? 1) }),
  (event, roll) => {
    const names = namesGiven(event)
      .filter(({ holder, value }) => holder.startsWith('u') && !/^\d+$/.test(value))
      .map(({ value }) => value);
    return { actor: names.length === 0 ? String(event.metadata.actorId ?? 1) : text(oneOf(names, roll), roll) };
  },
  ({ type }, roll) => ({ kind: roll(2) === 0 ? [type] : [type, 'MessageSent'] }),
  ({ metadata: { client } }) => ({ client }),
  ({ metadata: { address } }) => ({ address: address ?? '127.0.0.1' }),
  ({ metadata: { at } }) => ({ since: Math.floor(at / 1000) }),
  ({ metadata: { at } }) => ({ until: Math.floor(at / 1000) }),
];

const concernedBy = (event: Recorded) => eventRegistry.get(event.type)?.concerns(event) ?? {};

function drawn(events: readonly Recorded[], roll: Roll): Question {
  let question: Question = {};
  for (let left = 1 + roll(3); left > 0; left--)
    question = { ...question, ...oneOf(MAKERS, roll)(oneOf(events, roll), roll) };
  return question;
}

const optionsOf = ({
  message_id,
  channel_id,
  subject_user_id,
  since,
  until,
  kind,
  ...same
}: Question): Partial<AuditOptions> => ({
  ...same,
  ...(message_id !== undefined && { message: message_id }),
  ...(channel_id !== undefined && { channel: channel_id }),
  ...(subject_user_id !== undefined && { subject: subject_user_id }),
  ...(kind !== undefined && { kind: [...kind] }),
  ...(since !== undefined && { since: since * 1000 }),
  ...(until !== undefined && { until: until * 1000 + 999 }),
});

describe.each([1, 2, 3])('the audit of a random history (%i)', (seed) => {
  let scene: Scene;
  let events: readonly Recorded[];

  beforeAll(async () => {
    scene = await Scene.start();
    await new Storm(seed, actsOn(scene)).blow(250, 4);
    const { app } = scene.annals;
    const stored = (await app.get<EventStore>(EVENT_STORE).readAll({ after: START, limit: 100_000 })).events;
    events = await new EventCodec(app.get<ContentKeys>(CONTENT_KEYS), eventRegistry).decodeWithAddresses(stored);
  });
  afterAll(() => scene.annals.stop());

  /** Asks page by page. */
  async function asked(question: Question, order: string, limit: number): Promise<{ position: number }[]> {
    const found: { position: number }[] = [];
    for (let after: number | undefined; ; ) {
      const parameters = { ...question, order, limit, ...(after !== undefined && { after }) };
      const { status, body } = await scene.owner.api.get('/audit/events', parameters);
      expect(status).toBe(200);
      found.push(...body.events);
      if (body.found_end) return found;
      after = body.cursor;
    }
  }

  async function printed(question: Question, order: 'newest' | 'oldest'): Promise<object[]> {
    let json = '';
    const output = new Writable({
      write(chunk, _encoding, done) {
        json += chunk;
        done();
      },
    });
    await printAudit(
      scene.annals.engineSettings,
      { ...optionsOf(question), order, format: 'json' },
      { output, errors: process.stderr },
    );
    return JSON.parse(json);
  }

  it('is the same by API, by command line and by reading the whole log', async () => {
    const roll = dice(seed);
    let answered = 0;
    for (let n = 0; n < QUESTIONS; n++) {
      const question = drawn(events, roll);
      const order = roll(2) === 0 ? 'newest' : 'oldest';
      const told = { n, question, order };
      const expected = auditFold(events, question);
      if (order === 'newest') expected.reverse();
      const found = await asked(question, order, 1 + roll(100));
      expect({ ...told, positions: found.map(({ position }) => position) }).toEqual({ ...told, positions: expected });
      if (n < ASKED_BY_COMMAND)
        expect({ ...told, events: await printed(question, order) }).toEqual({ ...told, events: found });
      if (expected.length > 0) answered++;
    }
    expect(answered).toBeGreaterThan(QUESTIONS / 2);
  });
});
