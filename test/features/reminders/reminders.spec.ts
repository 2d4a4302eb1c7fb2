import { describe, expect, it } from '@jest/globals';
import { MAX_NOTE_LENGTH, type ReminderEvent } from '../../../src/events/reminders/reminders.events.js';
import type { MessageScheduled } from '../../../src/events/scheduled-messages/scheduled-messages.events.js';
import {
  BeginReminder,
  DeleteReminder,
  DropReminder,
  decideBeginReminder,
  decideDeleteReminder,
  decideDropReminder,
  decideEndReminder,
  decideSetReminder,
  EndReminder,
  MOST_REMINDERS,
  reminders,
  SetReminder,
} from '../../../src/features/reminders/domain/reminders.js';
import { TAKEN_OVER_AFTER_MS } from '../../../src/features/scheduled-messages/domain/due-items.js';
import { scheduledMessages } from '../../../src/features/scheduled-messages/domain/scheduled-messages.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const NOW = 1000;
const ids = (reminderId = 1) => ({ userId: 1, reminderId });

const set = (reminderId = 1, note = 'Cake') =>
  ({
    type: 'ReminderSet',
    data: { ...ids(reminderId), messageId: 7, sendAt: 2000, keyId: 'k1', words: { note } },
  }) as const satisfies ReminderEvent;
const deleted: ReminderEvent = { type: 'ReminderDeleted', data: { ...ids(), keyId: 'k1' } };
const begun = (begunAt = NOW): ReminderEvent => ({ type: 'ReminderSendBegun', data: { ...ids(), begunAt } });
const sent: ReminderEvent = { type: 'ReminderSent', data: { ...ids(), keyId: 'k1', messageId: 12 } };
const scheduled: MessageScheduled = {
  type: 'MessageScheduled',
  data: {
    userId: 1,
    scheduleId: 4,
    recipient: { type: 'channel', channelId: 7 },
    sendAt: 2000,
    readBySender: true,
    keyId: 'k4',
    words: { topic: 'plans', text: 'Hello', rendered: '<p>Hello</p>' },
  },
};

type Events = readonly (ReminderEvent | MessageScheduled)[];

describe('setting a reminder', () => {
  const when = (history: Events = [], { note = 'Cake', sendAt = 2000 } = {}) =>
    given(reminders, history).when(decideSetReminder, new SetReminder({ userId: 1, messageId: 7, sendAt, note, by }), {
      keyId: 'k1',
      now: NOW,
    });

  it('numbers it from 1, with the scheduled messages, and never reuses a number', () => {
    when().then([set(1)]);
    when([set(1), deleted]).then([set(2)]);
    when([set(1), begun(), sent]).then([set(2)]);
    when([set(1), scheduled]).then([set(5)]);
    expect(given(scheduledMessages, [scheduled, set(5)]).state.lastId).toBe(5);
  });

  it('needs a time in the future, a short note, and room', () => {
    when([], { sendAt: NOW }).thenRefuses('SCHEDULE_TIME_PAST');
    when([], { note: '\u{1F370}'.repeat(MAX_NOTE_LENGTH) }).then([set(1, '\u{1F370}'.repeat(MAX_NOTE_LENGTH))]);
    when([], { note: 'x'.repeat(MAX_NOTE_LENGTH + 1) }).thenRefuses('REMINDER_NOTE_TOO_LONG', { limit: 500 });
    const many = Array.from({ length: MOST_REMINDERS }, (_, index) => set(index + 1));
    when(many).thenRefuses('TOO_MANY_REMINDERS', { limit: MOST_REMINDERS });
    when(many.slice(1)).then([set(MOST_REMINDERS + 1)]);
  });

  it('leaves no words in the state', () =>
    expect(JSON.stringify(given(reminders, [set()]).state)).not.toContain('Cake'));
});

it('deleting a reminder ends its key, unless it is being sent', () => {
  const when = (history: Events) =>
    given(reminders, history).when(decideDeleteReminder, new DeleteReminder({ ...ids(), by }), undefined);
  when([set()]).then([deleted]);
  when([set(), begun()]).thenRefuses('REMINDER_NOT_FOUND');
  when([set(), deleted]).thenRefuses('REMINDER_NOT_FOUND');
  when([]).thenRefuses('REMINDER_NOT_FOUND');
});

describe('sending a reminder', () => {
  const begin = (history: Events, now = NOW) =>
    given(reminders, history).when(decideBeginReminder, new BeginReminder({ ...ids(), by }), { now });
  const end = (history: Events) =>
    given(reminders, history).when(decideEndReminder, new EndReminder({ ...ids(), messageId: 12, by }), undefined);
  const drop = (history: Events) =>
    given(reminders, history).when(decideDropReminder, new DropReminder({ ...ids(), by }), undefined);

  it('is begun by one process, and taken over if that one does not end it', () => {
    begin([set()]).then([begun()]);
    begin([set(), begun()], NOW + TAKEN_OVER_AFTER_MS - 1).thenRefuses('REMINDER_NOT_FOUND');
    const later = NOW + TAKEN_OVER_AFTER_MS;
    begin([set(), begun()], later).then([begun(later)]);
    begin([set(), deleted]).thenRefuses('REMINDER_NOT_FOUND');
  });

  it('ends once', () => {
    end([set(), begun()]).then([sent]);
    end([set(), begun(), sent]).thenNothing();
  });

  it('is given up without an account', () => {
    drop([set()]).then([deleted]);
    drop([set(), begun()]).then([deleted]);
    drop([set(), begun(), sent]).thenNothing();
  });
});
