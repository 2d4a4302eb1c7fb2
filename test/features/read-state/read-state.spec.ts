import { describe, expect, it } from '@jest/globals';
import { idsIn, rangesOf } from '../../../src/events/read-state/read-state.events.js';
import {
  decideChangeFlags,
  decideMarkAllRead,
  type FlagFacts,
  MarkAllRead,
  ownFlagNamed,
} from '../../../src/features/read-state/domain/change-flags.js';
import { DomainError, type RefusalCode } from '../../../src/platform/kernel/deciding.js';

const message = (id: number, changes: Partial<FlagFacts> = {}): FlagFacts => ({
  id,
  isSet: false,
  channelId: 4,
  isSubscribed: true,
  ...changes,
});
const add = (flag: 'read' | 'starred') => ({ userId: 7, flag, operation: 'add' }) as const;
const remove = (flag: 'read' | 'starred') => ({ userId: 7, flag, operation: 'remove' }) as const;

describe('a change of flags', () => {
  it('has the changed messages as ranges', () => {
    const messages = [message(9), message(3), message(4), message(5, { isSet: true }), message(6)];
    expect(decideChangeFlags(add('starred'), messages)).toStrictEqual({
      events: [
        {
          type: 'FlagsAdded',
          data: {
            userId: 7,
            flag: 'starred',
            ranges: [
              [3, 4],
              [6, 6],
              [9, 9],
            ],
          },
        },
      ],
      changed: [3, 4, 6, 9],
      ignoredChannelIds: [],
    });
  });

  it('has no event if nothing changes', () => {
    expect(decideChangeFlags(add('read'), [message(1, { isSet: true })])).toMatchObject({ events: [], changed: [] });
    expect(decideChangeFlags(remove('read'), [message(1)])).toMatchObject({ events: [], changed: [] });
    expect(decideChangeFlags(add('read'), [])).toStrictEqual({ events: [], changed: [], ignoredChannelIds: [] });
  });

  it('marks nothing as unread in channels without a subscription', () => {
    const messages = [
      message(1, { isSet: true, channelId: 9, isSubscribed: false }),
      message(2, { isSet: true, channelId: 8, isSubscribed: false }),
      message(3, { isSet: true, channelId: 9, isSubscribed: false }),
      message(4, { isSet: true }),
      message(5, { isSet: true, channelId: null, isSubscribed: false }),
    ];
    expect(decideChangeFlags(remove('read'), messages)).toStrictEqual({
      events: [{ type: 'FlagsRemoved', data: { userId: 7, flag: 'read', ranges: [[4, 5]] } }],
      changed: [4, 5],
      ignoredChannelIds: [8, 9],
    });
    expect(decideChangeFlags(remove('starred'), messages)).toMatchObject({
      changed: [1, 2, 3, 4, 5],
      ignoredChannelIds: [],
    });
    expect(decideChangeFlags(add('read'), [message(1, { isSubscribed: false })])).toMatchObject({ changed: [1] });
  });

  it('is split into several events if it is long, the newest messages first', () => {
    const { events, changed } = decideChangeFlags(
      add('read'),
      Array.from({ length: 12_000 }, (_, index) => message(2 * index + 1)),
    );
    expect(events.map(({ data }) => data.ranges.length)).toEqual([5000, 5000, 2000]);
    expect(events.map(({ data }) => data.ranges.at(-1)?.[1])).toEqual([23_999, 13_999, 3999]);
    expect(events.flatMap(({ data }) => idsIn(data.ranges)).sort((a, b) => a - b)).toEqual(changed);
  });

  it.each<[string, RefusalCode | null]>([
    ['read', null],
    ['starred', null],
    ['collapsed', null],
    ['mentioned', 'FLAG_NOT_EDITABLE'],
    ['historical', 'FLAG_NOT_EDITABLE'],
    ['wildcard_mentioned', 'FLAG_NOT_EDITABLE'],
    ['Read', 'INVALID_FLAG'],
    ['', 'INVALID_FLAG'],
  ])('of the flag %j is accepted, or refused with a code: %s', (flag, code) => {
    if (code === null) expect(ownFlagNamed(flag)).toBe(flag);
    else expect(() => ownFlagNamed(flag)).toThrow(new DomainError(code, { flag }));
  });
});

describe('marking everything as read', () => {
  const command = new MarkAllRead({ userId: 7, by: { actorId: 7, client: 'test', correlationId: 'x' } });

  it('appends one event, and none if nothing is unread', () => {
    expect(decideMarkAllRead(command, { hasUnread: true })).toStrictEqual([
      { type: 'AllMessagesRead', data: { userId: 7 } },
    ]);
    expect(decideMarkAllRead(command, { hasUnread: false })).toStrictEqual([]);
  });
});

describe('ranges', () => {
  it('are made of ids in any order and with repetitions', () => {
    expect(rangesOf([5, 1, 2, 2, 7, 6])).toEqual([
      [1, 2],
      [5, 7],
    ]);
    expect(rangesOf([])).toEqual([]);
    expect(idsIn(rangesOf([9, 3, 4]))).toEqual([3, 4, 9]);
  });
});
