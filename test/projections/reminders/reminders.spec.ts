import { describe, expect, it } from '@jest/globals';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { reminders } from '../../../projections/reminders/reminders.projection.js';
import type { ReminderEvent } from '../../../src/events/reminders/reminders.events.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { history } from '../../support/events/history.js';
import { projected } from '../../support/projections/projected.js';

/** A reminder that is sent, one that is deleted, one that waits and one that is being sent. */
const life = (isThere = true): readonly ReminderEvent[] => {
  const of = (reminderId: number) => ({ userId: 1, reminderId });
  const set = (id: number, isErased: boolean): ReminderEvent => {
    const words = isThere || !isErased ? { note: `secret ${id}` } : null;
    return { type: 'ReminderSet', data: { ...of(id), messageId: 7, sendAt: 1000 * id, keyId: `k${id}`, words } };
  };
  return [
    set(1, true),
    set(2, true),
    set(3, false),
    set(4, false),
    { type: 'ReminderSendBegun', data: { ...of(1), begunAt: 1000 } },
    { type: 'ReminderSent', data: { ...of(1), keyId: 'k1', messageId: 12 } },
    { type: 'ReminderDeleted', data: { ...of(2), keyId: 'k2' } },
    { type: 'ReminderSendBegun', data: { ...of(4), begunAt: 4000 } },
  ];
};
const of = (events: readonly ReminderEvent[]) =>
  history(...events.map((event): [string, DomainEvent] => ['user-1', event]));

describe('the documents of reminders', () => {
  it('hold each reminder that is not sent', async () => {
    const left = (id: number) => ({
      _id: `1/${id}`,
      userId: 1,
      reminderId: id,
      messageId: 7,
      sendAt: 1000 * id,
      keyId: `k${id}`,
      note: `secret ${id}`,
      position: id,
    });
    expect(await projected(reminders, of(life()))).toEqual({
      reminders: [left(3), left(4)],
      owners: [{ _id: 1, position: 7 }],
    });
  });

  it('are the same whether or not the keys of erased notes still exist', async () =>
    expect(await projected(reminders, of(life(false)))).toEqual(await projected(reminders, of(life()))));
});

it('client events of reminders go to their user, and hold no words', async () => {
  const { events } = await projected(clientEvents, of(life()));
  const told = (op: string) => ({ kind: `reminders/${op}`, audience: { userIds: [1] } });
  expect(events).toMatchObject(['add', 'add', 'add', 'add', 'remove', 'remove'].map(told));
  expect(JSON.stringify(events)).not.toContain('secret');
});
