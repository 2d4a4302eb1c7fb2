import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MESSAGES, type MessageDocument, messages } from '../../projections/messages/messages.projection.js';
import { NEWEST, OLDEST, readPage } from '../../src/features/messages/queries/reading/message-page.js';
import { type MessageView, readableView } from '../../src/features/messages/queries/reading/message-view.js';
import { type Messages, messagesFor } from '../../src/features/messages/queries/reading/messages-for.js';
import { searchView } from '../../src/features/messages/queries/reading/search-view.js';
import { dmKeyOf } from '../../src/features/narrow/domain/narrow.js';
import type { NarrowCondition } from '../../src/features/narrow/domain/narrow-resolve.js';
import { SqliteDocumentStore } from '../../src/platform/documents/sqlite/sqlite-document-store.js';
import { Overloaded } from '../../src/platform/kernel/admission.js';
import { History, NONE_MOVED_IN, unflagged } from '../projections/messages/messages-history.js';
import { override } from '../support/override.js';
import { AppliedByHand } from '../support/projections/applied-by-hand.js';

const SENT = 6_000;
const MOST_KEYS = 2_048;
const MOST_LOOKED_AT = 250;

const history = new History();
const [reader, often, seldom] = [history.user(), history.user(), history.user()];
const [busy, linked] = [history.channel(), history.channel()];
const quiet = Array.from({ length: 20 }, () => history.channel());
for (const channel of [busy, linked, ...quiet]) history.subscribe(channel, reader);

/** Half of the messages are often's in a channel, a quarter are seldom's with links, and a quarter are direct. */
function send(n: number): void {
  const content = (text: string, link: string) => ({
    content: {
      text,
      rendered: `<p>${text} ${link}</p>`,
      rendererVersion: 1,
      mentions: { userIds: [reader?._id ?? 0] },
    },
  });
  const link = '<a href="https://example.com">here</a>';
  if (n % 2 === 0) history.post(often, busy, 'topic', n % 1_000 === 500 ? content('word', link) : {});
  else if (n % 4 === 1) history.post(seldom, linked, '✔ done', content('word', link));
  else history.whisper(often, [reader], n % 500 === 3 ? content('word', link) : {});
}
for (let n = 0; n < SENT; n++) send(n);

const sender = (userId: number): NarrowCondition => ({ kind: 'sender', userId });
const inBusy: NarrowCondition = { kind: 'channel', channelId: busy._id };
const hasLink: NarrowCondition = { kind: 'has', what: 'link' };
const dm: NarrowCondition = { kind: 'conversation', dmKey: dmKeyOf([reader._id, often._id]) };
const search: NarrowCondition = { kind: 'search', search: { text: 'word', languages: ['en'] } };

const NARROWS: readonly [string, readonly NarrowCondition[], readonly NarrowCondition[]][] = [
  ['a sender with links', [sender(often._id), hasLink], []],
  ['a sender with images', [sender(often._id), { kind: 'has', what: 'image' }], []],
  ['a channel with links', [inBusy, hasLink], []],
  ['a channel without a sender', [inBusy], [sender(often._id)]],
  ['a channel without links', [inBusy], [hasLink]],
  ['a conversation with links', [dm, hasLink], []],
  ['a conversation with attachments', [dm, { kind: 'has', what: 'attachment' }], []],
  ['conversations by sender', [{ kind: 'participants', userIds: [often._id], isGroup: false }, sender(seldom._id)], []],
  ['mentions by sender', [{ kind: 'mentioned' }, sender(often._id)], []],
  ['mentions in direct messages', [{ kind: 'mentioned' }, { kind: 'direct' }], []],
  ['resolved topics', [{ kind: 'resolved' }, sender(often._id)], []],
  ['a topic of all channels', [{ kind: 'topic', topicKey: 'topic' }, sender(often._id), hasLink], []],
  ['found words in resolved topics', [search, { kind: 'resolved' }], []],
  ['found words but by a sender', [search], [sender(seldom._id)]],
  ['found words with links', [search, hasLink, inBusy], []],
];

describe('a search for few messages among many', () => {
  let folder: string;
  let store: SqliteDocumentStore;
  let collection: Messages;
  const steps: { keys: boolean; examined: number }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'annals-'));
    store = await SqliteDocumentStore.open(folder);
    const readModels = new AppliedByHand(store);
    await readModels.apply(messages, history.events);
    const stored = readModels.collection<MessageDocument>(messages, MESSAGES);
    collection = override(stored, {
      find: async (filter, options) => {
        const before = store.rowsExamined().examined;
        const found = await stored.find(filter, options);
        const examined = store.rowsExamined().examined - before;
        steps.push({ keys: options?.projection?.sentPosition === 1, examined });
        return found;
      },
    });
  });

  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });

  const viewOf = (required: readonly NarrowCondition[], excluded: readonly NarrowCondition[]): Promise<MessageView> => {
    const own = unflagged(reader, history.directory);
    return searchView(collection, readableView({ required, excluded }, reader, own, history.directory, NONE_MOVED_IN));
  };

  const largest = (keys: boolean): number =>
    Math.max(0, ...steps.flatMap((step) => (step.keys === keys ? [step.examined] : [])));

  it.each(NARROWS)('finds all of %s, in order, in small steps', async (_, required, excluded) => {
    const view = await viewOf(required, excluded);
    const ids = history.documents.filter((message) => view.includes(message)).map(({ _id }) => _id);
    const page = async (anchor: number, numBefore: number, numAfter: number) => {
      const found = await readPage(collection, view, { anchor, numBefore, numAfter, includeAnchor: false });
      return found.messages.map(({ _id }) => _id);
    };
    steps.length = 0;
    expect(await page(NEWEST, 3, 0)).toEqual(ids.slice(-3));
    expect(await page(OLDEST, 0, 3)).toEqual(ids.slice(0, 3));
    expect(await page(NEWEST, 5_000, 0)).toEqual(ids);
    const middle = ids[ids.length >> 1] ?? SENT / 2;
    const [older, newer] = [ids.filter((id) => id < middle), ids.filter((id) => id > middle)];
    expect(await page(middle, 200, 200)).toEqual([...older.slice(-200), ...newer.slice(0, 200)]);
    expect(largest(true)).toBeLessThanOrEqual(2 * MOST_KEYS);
    expect(largest(false)).toBeLessThanOrEqual(MOST_LOOKED_AT);
  });

  it('looks at the few messages of a sender, not at all with links', async () => {
    const view = await viewOf([sender(reader._id), hasLink], []);
    steps.length = 0;
    await readPage(collection, view, { anchor: NEWEST, numBefore: 100, numAfter: 0, includeAnchor: false });
    expect(steps.reduce((sum, { examined }) => sum + examined, 0)).toBeLessThan(10);
  });

  it('ends between two steps if its client has hung up', async () => {
    const view = await viewOf([sender(often._id), { kind: 'has', what: 'image' }], []);
    steps.length = 0;
    const leaving = {
      get isDisconnected() {
        return steps.length >= 3;
      },
    };
    const page = { anchor: NEWEST, numBefore: 100, numAfter: 0, includeAnchor: false };
    await expect(readPage(messagesFor(leaving, collection), view, page)).rejects.toThrow(Overloaded);
    expect(steps).toHaveLength(3);
  });
});
