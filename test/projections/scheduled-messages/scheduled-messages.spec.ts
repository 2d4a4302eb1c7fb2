import { describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { scheduledMessages } from '../../../projections/scheduled-messages/scheduled-messages.projection.js';
import type {
  ScheduledHead,
  ScheduledMessageEvent,
} from '../../../src/events/scheduled-messages/scheduled-messages.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

const head: ScheduledHead = { recipient: { type: 'channel', channelId: 7 }, sendAt: 2000, readBySender: true };
const wordsOf = (text: string) => ({ topic: 'plans', text, rendered: `<p>${text}</p>` });

/** One message that is edited and fails, one that is sent, one that is deleted, and one that waits. */
const life = (isThere = true): readonly ScheduledMessageEvent[] => {
  const scheduled = (scheduleId: number, isErased = true): ScheduledMessageEvent => {
    const words = isThere || !isErased ? wordsOf(`secret ${scheduleId}`) : null;
    return { type: 'MessageScheduled', data: { userId: 1, scheduleId, ...head, keyId: `k${scheduleId}`, words } };
  };
  const of = (scheduleId: number) => ({ userId: 1, scheduleId });
  const to = { ...head, sendAt: 3000 };
  return [
    ...[1, 2, 3].map((id) => scheduled(id)),
    scheduled(4, false),
    {
      type: 'ScheduledMessageEdited',
      data: { ...of(1), keyId: 'l1', previousKeyId: 'k1', from: head, to, words: wordsOf('secret new') },
    },
    { type: 'ScheduledMessageSendBegun', data: { ...of(1), begunAt: 3000 } },
    { type: 'ScheduledMessageFailed', data: { ...of(1), sendAt: 3000, reason: 'NOT_AUTHORIZED' } },
    { type: 'ScheduledMessageSendBegun', data: { ...of(2), begunAt: 3000 } },
    { type: 'ScheduledMessageSent', data: { ...of(2), keyId: 'k2', messageId: 12 } },
    { type: 'ScheduledMessageDeleted', data: { ...of(3), keyId: 'k3' } },
  ];
};
const of = (events: readonly ScheduledMessageEvent[]) =>
  history(...events.map((event): [string, DomainEvent] => ['user-1', event]));

describe('the documents of scheduled messages', () => {
  it('hold each message that is not sent', async () => {
    const documents = await projected(scheduledMessages, of(life()));
    expect(documents).toMatchObject({
      scheduled: [
        {
          _id: '1/1',
          userId: 1,
          scheduleId: 1,
          ...head,
          sendAt: 3000,
          keyId: 'l1',
          ...wordsOf('secret new'),
          isFailed: true,
          position: 7,
        },
        { _id: '1/4', scheduleId: 4, ...head, keyId: 'k4', ...wordsOf('secret 4'), isFailed: false, position: 4 },
      ],
      owners: [{ _id: 1, position: 10 }],
    });
  });

  it('are the same whether or not the keys of erased words still exist', async () =>
    expect(await projected(scheduledMessages, of(life(false)))).toEqual(
      await projected(scheduledMessages, of(life())),
    ));
});

it('client events of scheduled messages go to their writer, and hold no words', async () => {
  const { events } = await projected(clientEvents, of(life()));
  const told = (op: string) => ({ kind: `scheduled_messages/${op}`, audience: { userIds: [1] } });
  const ops = ['add', 'add', 'add', 'add', 'update', 'update', 'remove', 'remove'];
  expect(events).toMatchObject(ops.map(told));
  expect(JSON.stringify(events)).not.toMatch(/secret|plans/);
});
