import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AUDIT_EVENTS, type AuditDocument, audit } from '../../../projections/audit/audit.projection.js';
import { userKey } from '../../../projections/audit/audit-keys.js';
import { HOURS, type HourDocument, hourOf } from '../../../projections/audit/hours.js';
import { NAMES, type NameDocument } from '../../../projections/audit/names.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { AuditLog } from '../../../src/features/audit/log/audit-log.js';
import { AuditDocuments } from '../../../src/features/audit/queries/audit-documents.js';
import {
  ALL_EVENTS,
  type AuditConditions,
  type AuditQuestion,
  conditionsOf,
} from '../../../src/features/audit/queries/audit-question.js';
import { type AuditPage, matchingEvents } from '../../../src/features/audit/queries/matching-events.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { dice, oneOf, type Roll } from '../../support/dice.js';
import { temporaryDirectory } from '../../support/engines/event-store-directory.js';
import { turnsDuring } from '../../support/turns-of-the-loop.js';

/** More than are looked at for one page. */
const COUNT = 48_000;
const QUESTIONS = 60;
const SEARCHES = 20;
const BEGUN = 1_700_000_000_000;

/** Whom questions name. */
const ACCOUNTS = [1, 2, 5, 7, 99];
const nameOf = (id: number): NameDocument => {
  const name = `user ${id}`;
  return { _id: `${id}/name`, holder: userKey(id), kind: 'name', value: name, key: name, position: id };
};

/** Events of channel 1 are never of user 1, nor, with two exceptions, of user 5. User 7 acts at the end alone; few events are of channel 9. */
function drawn(at: number, roll: Roll): AuditDocument {
  const about = [
    ...(at % 2 === 1 ? ['u1', 'u5'] : roll(20) > 0 ? ['c1'] : []),
    ...(roll(3) === 0 ? ['c2'] : []),
    ...(roll(400) === 0 ? ['c9'] : []),
  ];
  return {
    _id: 3 * at + 1,
    id: `event-${at}`,
    stream: 'messages',
    revision: at,
    type: roll(10) > 0 ? 'MessageSent' : oneOf(['MessageEdited', 'MessageDeleted', 'ReactionAdded'], roll),
    at: BEGUN + at * 1000,
    ...(roll(20) > 0 && { actorId: at > COUNT - 300 ? 7 : 1 + roll(3) }),
    client: oneOf(['website', 'ZulipMobile'], roll),
    ...(roll(10) > 0 && { about }),
  };
}

/** The 4001st event of channel 1, from each end, is the first that is not looked at together with those before it. */
function withBorders(events: readonly AuditDocument[]): readonly AuditDocument[] {
  const ofChannel = events.filter(({ about }) => about?.includes('c1'));
  const borders = new Set([ofChannel.at(4000), ofChannel.at(-4001)]);
  return events.map((event) => (borders.has(event) ? { ...event, about: [...(event.about ?? []), 'u5'] } : event));
}

function hoursOf(events: readonly AuditDocument[]): readonly HourDocument[] {
  return events
    .filter(({ at }, n) => hourOf(at) !== hourOf(events[n - 1]?.at ?? 0))
    .map(({ _id, at }) => ({ _id, hour: hourOf(at) }));
}

const isAskedFor = (event: AuditDocument, question: AuditQuestion): boolean => {
  const { channelId, subjectId, actor, kinds, client, from, to } = question;
  return [
    channelId === null || event.about?.includes(`c${channelId}`),
    subjectId === null || event.about?.includes(`u${subjectId}`),
    actor === null || event.actorId === Number(actor),
    kinds === null || kinds.includes(event.type),
    client === null || event.client === client,
    from === null || event.at >= from,
    to === null || event.at <= to,
  ].every(Boolean);
};

function question(roll: Roll): AuditQuestion {
  const kinds = [
    ['MessageSent'],
    ['MessageEdited'],
    ['MessageSent', 'MessageEdited'],
    ['MessageDeleted', 'ReactionAdded'],
  ];
  const maybe = <T>(value: T): T | null => (roll(2) === 0 ? value : null);
  return {
    ...ALL_EVENTS,
    channelId: maybe(oneOf([1, 2, 9, 1000], roll)),
    subjectId: roll(4) === 0 ? oneOf([1, 2], roll) : null,
    actor: maybe(oneOf(['1', '2', '7', '99'], roll)),
    kinds: maybe(oneOf(kinds, roll)),
    client: roll(4) === 0 ? 'website' : null,
    from: roll(5) === 0 ? BEGUN + roll(COUNT) * 1000 : null,
    to: roll(5) === 0 ? BEGUN + roll(COUNT) * 1000 : null,
  };
}

describe('the search for events that meet several conditions', () => {
  const directory = temporaryDirectory();
  const roll = dice(11);
  const events = withBorders(Array.from({ length: COUNT }, (_, at) => drawn(at, roll)));
  let store: SqliteDocumentStore;
  let documents: AuditDocuments;
  // No question here is about a message or an address, so nothing is read from the log.
  const unread = () => Promise.reject(new Error('the log is not read'));
  const log = new AuditLog(
    { knownHead: null, head: unread, readStream: unread },
    new EventCodec({ getMany: unread }, eventRegistry),
  );

  beforeAll(async () => {
    store = await SqliteDocumentStore.open(directory.path);
    const database = await store.database('audit');
    await database.ensure(audit.collections);
    await database.transaction(async (transaction) => {
      const inserts = (all: readonly { readonly _id: number }[]) =>
        all.map((document) => ({ insertOne: { document } }));
      await transaction.writeAll([
        { collection: AUDIT_EVENTS, operations: inserts(events) },
        { collection: HOURS, operations: inserts(hoursOf(events)) },
        { collection: NAMES, operations: ACCOUNTS.map((id) => ({ insertOne: { document: nameOf(id) } })) },
      ]);
    });
    documents = new AuditDocuments({
      collection: (_, name) => database.collection(name),
      position: () => COUNT,
      waitFor: () => Promise.resolve(),
      onApplied: () => () => undefined,
    });
  });
  afterAll(async () => {
    await store.close();
    directory.remove();
  });

  /** All pages of an answer. */
  async function pages(asked: AuditQuestion, page: Omit<AuditPage, 'after'>, inLog: AuditConditions['inLog'] = null) {
    const { indexed } = await conditionsOf(asked, documents, log);
    const found: (readonly AuditDocument[])[] = [];
    for (let after: number | null = null; ; ) {
      const one = await matchingEvents({ indexed, inLog }, asked, { ...page, after }, documents);
      expect(one.found.length).toBeLessThanOrEqual(page.limit);
      found.push(one.found);
      if (one.next === null) return found;
      after = one.next;
    }
  }

  it('finds what a look at each event finds, page by page, in both orders', async () => {
    const throws = dice(5);
    let answered = 0;
    for (let n = 0; n < QUESTIONS; n++) {
      const asked = question(throws);
      const page = { order: oneOf(['newest', 'oldest'] as const, throws), limit: 50 + throws(1000) };
      const upTo = throws(4) === 0 ? 3 * throws(COUNT) : undefined;
      const expected = events.filter((event) => isAskedFor(event, asked) && (upTo === undefined || event._id <= upTo));
      if (page.order === 'newest') expected.reverse();
      const found = await pages(asked, { ...page, ...(upTo !== undefined && { upTo }) });
      const told = { n, asked, page, upTo };
      expect({ ...told, found: found.flat().map(({ _id }) => _id) }).toEqual({
        ...told,
        found: expected.map(({ _id }) => _id),
      });
      if (expected.length > 0) answered++;
    }
    expect(answered).toBeGreaterThan(QUESTIONS / 3);
  });

  it('finds an event at the border of what is looked at together', async () => {
    const asked = { ...ALL_EVENTS, channelId: 1, subjectId: 5 };
    const expected = events.filter((event) => isAskedFor(event, asked));
    expect(expected).toHaveLength(2);
    expect((await pages(asked, { order: 'oldest', limit: 100 })).flat()).toEqual(expected);
    expect((await pages(asked, { order: 'newest', limit: 100 })).flat()).toEqual(expected.toReversed());
  });

  it('ends a page after 12,000 events of the rarest condition, with a cursor', async () => {
    const asked = { ...ALL_EVENTS, channelId: 1, subjectId: 1, kinds: ['MessageSent'] };
    const { indexed } = await conditionsOf(asked, documents, log);
    const ask = (order: 'newest' | 'oldest', after: number | null) =>
      matchingEvents({ indexed, inLog: null }, asked, { order, limit: 100, after }, documents);
    // Channel 1 has about 20,500 events, and user 1 more.
    for (const order of ['newest', 'oldest'] as const) {
      const first = await ask(order, null);
      expect(first.found).toEqual([]);
      expect(order === 'oldest' ? first.next : 3 * COUNT - (first.next ?? 0)).toBeGreaterThan(3 * 25_000);
      expect(await ask(order, first.next)).toEqual({ found: [], next: null });
    }
  });

  it('reads no document that does not meet the conditions', async () => {
    const before = store.rowsExamined();
    await pages({ ...ALL_EVENTS, channelId: 9, actor: '7' }, { order: 'oldest', limit: 1000 });
    await pages({ ...ALL_EVENTS, channelId: 1, subjectId: 1 }, { order: 'newest', limit: 1000 });
    const after = store.rowsExamined();
    expect(after.examined - before.examined).toBeLessThan(50);
  });

  it('asks the log about events that meet all other conditions, and about no others', async () => {
    const asked = { ...ALL_EVENTS, channelId: 1, actor: '2', kinds: ['MessageEdited', 'MessageDeleted'] };
    const told = new Set<number>();
    const found = await pages(asked, { order: 'oldest', limit: 20 }, async (some) => {
      for (const { _id } of some) told.add(_id);
      return some.filter(({ revision }) => revision % 3 === 0);
    });
    const expected = events.filter((event) => isAskedFor(event, asked));
    expect([...told].sort((a, b) => a - b)).toEqual(expected.map(({ _id }) => _id));
    expect(found.flat()).toEqual(expected.filter(({ revision }) => revision % 3 === 0));
  });

  it('lets other work have its turn during long searches', async () => {
    const search = () => pages({ ...ALL_EVENTS, channelId: 1, subjectId: 1 }, { order: 'newest', limit: 100 });
    const searches = Promise.all(Array.from({ length: SEARCHES }, search));
    const { longest, total } = await turnsDuring(searches);
    await searches;
    expect(longest).toBeLessThan(total / 4);
  });
});
