import { describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { drafts } from '../../../projections/drafts/drafts.projection.js';
import type { DraftCreated, DraftEvent } from '../../../src/events/drafts/drafts.events.js';
import type { UserSettingChanged } from '../../../src/events/personal/user-settings.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const of = (...events: (DraftEvent | UserSettingChanged)[]) =>
  history(...events.map((event): [string, DomainEvent] => [`user-${event.data.userId}`, event]));

const channel = { recipient: { type: 'channel', channelId: 7 }, editedAt: 10_000 } as const;
const unaddressed = { recipient: { type: 'unaddressed' }, editedAt: 20_000 } as const;
const first = { topic: 'lunch', text: 'first words' };
const second = { topic: '', text: 'second words' };

const created = (draftId: number, changes: Partial<DraftCreated['data']> = {}): DraftCreated => ({
  type: 'DraftCreated',
  data: { userId: 1, draftId, keyId: `k${draftId}`, ...channel, words: first, ...changes },
});
const edited = (draftId: number, words: typeof second | null = second): DraftEvent => ({
  type: 'DraftEdited',
  data: { userId: 1, draftId, keyId: 'new', previousKeyId: `k${draftId}`, from: channel, to: unaddressed, words },
});
const deleted = (draftId: number, isWithdrawn = false): DraftEvent => ({
  type: 'DraftDeleted',
  data: { userId: 1, draftId, keyId: `k${draftId}`, ...channel, isWithdrawn },
});
const synchronized = (to: boolean, property = 'enable_drafts_synchronization'): UserSettingChanged => ({
  type: 'UserSettingChanged',
  data: { userId: 1, property, from: !to, to },
});

describe('the documents of drafts', () => {
  it('hold each draft as it was last saved', async () => {
    const documents = await projected(
      drafts,
      of(created(1), created(2), created(1, { userId: 2 }), edited(1), created(3), deleted(2)),
    );
    expect(documents).toEqual({
      drafts: [
        { _id: '1/1', userId: 1, draftId: 1, ...unaddressed, ...second, position: 4 },
        { _id: '1/3', userId: 1, draftId: 3, ...channel, ...first, position: 5 },
        { _id: '2/1', userId: 2, draftId: 1, ...channel, ...first, position: 3 },
      ],
      owners: [
        { _id: 1, position: 6 },
        { _id: 2, position: 3 },
      ],
    });
  });

  it('are the same whether or not the keys of deleted content still exist', async () => {
    const life = (words: typeof first | null) =>
      of(created(1, { words }), edited(1), created(2, { words }), edited(2, words && second), deleted(2));
    expect(await projected(drafts, life(null))).toEqual(await projected(drafts, life(first)));
  });

  it('hold no draft whose key is gone', async () => {
    const { drafts: left } = await projected(drafts, of(created(1), edited(1, null), created(2, { words: null })));
    expect(left).toEqual([]);
  });

  it('lose the drafts of a user who turns synchronization off, but not drafts created after it is on again', async () => {
    const before = [created(1), created(2), edited(2), created(1, { userId: 2 })];
    const off = of(...before, synchronized(false));
    const others = { _id: '2/1', userId: 2, draftId: 1, ...channel, ...first, position: 4 };
    expect(await projected(drafts, off)).toEqual({
      drafts: [others],
      owners: [
        { _id: 1, position: 5 },
        { _id: 2, position: 4 },
      ],
    });
    const again = of(
      ...before,
      synchronized(false),
      synchronized(true),
      created(3),
      deleted(1, true),
      deleted(2, true),
    );
    expect((await projected(drafts, again)).drafts).toEqual([
      { _id: '1/3', userId: 1, draftId: 3, ...channel, ...first, position: 7 },
      others,
    ]);
  });

  it('stay when their user turns synchronization on, or turns another setting off', async () => {
    const { drafts: left } = await projected(
      drafts,
      of(created(1), synchronized(true), synchronized(false, 'enter_sends')),
    );
    expect(left).toHaveLength(1);
  });

  it('are the same after synchronization was off, whether or not the keys of withdrawn drafts still exist', async () => {
    const life = (words: typeof first | null) =>
      of(created(1, { words }), synchronized(false), synchronized(true), deleted(1, true));
    expect(await projected(drafts, life(null))).toEqual(await projected(drafts, life(first)));
  });
});

describe('client events of drafts', () => {
  const told = async (...events: DraftEvent[]) => {
    const documents = await projected(clientEvents, of(...events));
    expect(JSON.stringify(documents)).not.toMatch(/words|lunch/);
    return documents.events?.map((event) => {
      const { kind, part, audience, payload } = event as unknown as Record<string, unknown>;
      expect([part, audience]).toEqual(['drafts', { userIds: [1] }]);
      return [kind, payload];
    });
  };

  it('name the drafts, with one event for drafts that were created together', async () => {
    expect(
      await told(
        created(1),
        created(2, { createdIds: [1, 2] }),
        created(3, { createdIds: [3] }),
        edited(1),
        deleted(2),
      ),
    ).toEqual([
      ['drafts/add', { userId: 1, draftIds: [1, 2] }],
      ['drafts/add', { userId: 1, draftIds: [3] }],
      ['drafts/update', { userId: 1, draftIds: [1] }],
      ['drafts/remove', { body: { draft_id: 2 } }],
    ]);
  });

  it('are not sent for drafts that are withdrawn', async () => {
    expect(await told(created(1), deleted(1, true))).toEqual([]);
  });
});
