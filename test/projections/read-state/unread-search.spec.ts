import { expect, it } from '@jest/globals';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages/messages.projection.js';
import { encodeChunk, noIds, setRange } from '../../../projections/read-state/id-chunk.js';
import { OwnFlags } from '../../../src/features/message-flags/queries/own-flags.js';
import { ReadState } from '../../../src/features/message-flags/queries/read-state.js';
import { firstUnread } from '../../../src/features/messages/queries/reading/first-unread.js';
import { NEWEST, readPage } from '../../../src/features/messages/queries/reading/message-page.js';
import { readableView } from '../../../src/features/messages/queries/reading/message-view.js';
import { MessageRows } from '../../../src/features/messages/services/message-rows.js';
import { NarrowedRows } from '../../../src/features/messages/services/narrowed-rows.js';
import { EVERYTHING, unreadIn } from '../../../src/features/narrow/domain/narrow-resolve.js';
import { unreadRows } from '../../../src/features/read-state/register/unread-messages.js';
import { SqliteDocumentStore } from '../../../src/platform/documents/sqlite/sqlite-document-store.js';
import { AppliedByHand } from '../../support/projections/applied-by-hand.js';
import { withScratch } from '../../support/scratch.js';
import { History, NONE_MOVED_IN } from '../messages/messages-history.js';

const COUNT = 6000;
const UNREAD = [1500, 1501, 4200, 5999];

it('the search for unread messages reads little more than these, however many were read before', () =>
  withScratch(async (folder) => {
    const history = new History();
    const [reader, author] = [history.user(), history.user()];
    const channels = [history.channel(), history.channel(), history.channel()] as const;
    for (const channel of channels) history.subscribe(channel, reader);
    for (let turn = 0; turn < COUNT; turn++) {
      if (turn % 4 === 3) history.whisper(author, [reader]);
      else history.post(author, channels[turn % 3] ?? channels[0]);
    }
    const bits = noIds();
    setRange(bits, 1, COUNT, true);
    for (const id of UNREAD) setRange(bits, id, id, false);
    const document = {
      _id: '1/read/0',
      userId: 1,
      set: 'read',
      chunk: 0,
      ids: encodeChunk(bits),
      position: 1,
    } as const;
    const state = ReadState.none(reader._id).with([document]);
    const own = new OwnFlags(reader, state, history.directory);
    const narrow = unreadIn(EVERYTHING);
    const view = readableView(narrow, reader, own, history.directory, NONE_MOVED_IN);

    const store = await SqliteDocumentStore.open(folder);
    try {
      const readModels = new AppliedByHand(store);
      await readModels.apply(messages, history.events);
      const collection = readModels.collection<MessageDocument>(messages, MESSAGES);
      const examined = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
        const before = store.rowsExamined().examined;
        return [await work(), store.rowsExamined().examined - before];
      };

      const [first, lookedAt] = await examined(() => firstUnread(collection, view));
      expect(first).toBe(UNREAD[0]);
      expect(lookedAt).toBeLessThan(400);

      const asked = { anchor: NEWEST, numBefore: 10, numAfter: 0, includeAnchor: false };
      const [page, lookedThrough] = await examined(() => readPage(collection, view, asked));
      expect(page.messages.map(({ _id }) => _id)).toEqual(UNREAD);
      expect(lookedThrough).toBeLessThan(3000);

      // Reads the blocks with unread messages, at first. The second time it reads only the number of the newest block.
      const subscriptions = new Map(channels.map(({ _id }) => [_id, [{ from: 0, to: null }]] as const));
      const end = history.events.at(-1)?.position ?? 0;
      const rows = new MessageRows(readModels);
      for (const most of [10, 4]) {
        const [unread, walked] = await examined(() => unreadRows(rows, reader, state, subscriptions, end, 50_000));
        expect(unread.rows.map(({ _id }) => _id)).toEqual([...UNREAD].reverse());
        expect(walked).toBeLessThan(most);
        expect(await new NarrowedRows(narrow, own, rows).take(1, 1)).toMatchObject([
          { _id: UNREAD[0], type: 'direct' },
        ]);
      }
    } finally {
      await store.close();
    }
  }));
