import { describe, expect, it } from '@jest/globals';
import type {
  ScheduledHead,
  ScheduledMessageEvent,
  ScheduledWords,
} from '../../../src/events/scheduled-messages/scheduled-messages.events.js';
import { TAKEN_OVER_AFTER_MS } from '../../../src/features/scheduled-messages/domain/due-items.js';
import {
  BeginScheduledSend,
  changedMessage,
  DeleteScheduledMessage,
  decideBeginScheduledSend,
  decideDeleteScheduledMessage,
  decideEditScheduledMessage,
  decideEndScheduledSend,
  decideFailScheduledSend,
  decideScheduleMessage,
  EditScheduledMessage,
  EndScheduledSend,
  FailScheduledSend,
  MOST_SCHEDULES,
  type ScheduleChanges,
  ScheduleMessage,
  scheduledMessages,
} from '../../../src/features/scheduled-messages/domain/scheduled-messages.js';
import { given } from '../../support/events/given.js';

const by = { actorId: 1, client: 'test', correlationId: 'c' };
const NOW = 1000;
const head: ScheduledHead = { recipient: { type: 'channel', channelId: 7 }, sendAt: 2000, readBySender: true };
const words: ScheduledWords = { topic: 'plans', text: 'Hello', rendered: '<p>Hello</p>' };
const ids = (scheduleId = 1) => ({ userId: 1, scheduleId });

const scheduled = (scheduleId = 1, keyId = 'k1'): ScheduledMessageEvent => ({
  type: 'MessageScheduled',
  data: { ...ids(scheduleId), ...head, keyId, words },
});
const edited = (to: Partial<ScheduledHead>, newWords = words): ScheduledMessageEvent => ({
  type: 'ScheduledMessageEdited',
  data: { ...ids(), keyId: 'k2', previousKeyId: 'k1', from: head, to: { ...head, ...to }, words: newWords },
});
const deleted = (scheduleId = 1): ScheduledMessageEvent => ({
  type: 'ScheduledMessageDeleted',
  data: { ...ids(scheduleId), keyId: 'k1' },
});
const begun = (begunAt = NOW): ScheduledMessageEvent => ({
  type: 'ScheduledMessageSendBegun',
  data: { ...ids(), begunAt },
});
const sent = (keyId = 'k1'): ScheduledMessageEvent => ({
  type: 'ScheduledMessageSent',
  data: { ...ids(), keyId, messageId: 12 },
});
const failed: ScheduledMessageEvent = {
  type: 'ScheduledMessageFailed',
  data: { ...ids(), sendAt: 2000, reason: 'NOT_AUTHORIZED' },
};

const inChannel = (text = 'Hello') => ({
  recipient: { type: 'channel', channelId: 7, topic: 'plans' } as const,
  content: { text, rendered: `<p>${text}</p>`, rendererVersion: 1 },
});
const direct = (...userIds: number[]) => ({ ...inChannel(), recipient: { type: 'direct', userIds } as const });

type Events = readonly ScheduledMessageEvent[];

describe('scheduling a message', () => {
  const when = (
    history: Events = [],
    sendAt = 2000,
    written: ReturnType<typeof direct | typeof inChannel> = inChannel(),
  ) =>
    given(scheduledMessages, history).when(
      decideScheduleMessage,
      new ScheduleMessage({
        userId: 1,
        message: { to: { type: 'channel', channel: 7, topic: 'plans' }, content: 'Hello' },
        sendAt,
        readBySender: true,
        by,
      }),
      { keyId: 'k1', now: NOW, written },
    );

  it('numbers it from 1, and never reuses a number', () => {
    when().then([scheduled(1)]);
    when([scheduled(1), deleted(1)]).then([scheduled(2)]);
    when([scheduled(1), begun(), sent()]).then([scheduled(2)]);
  });

  it('names the writer only in a conversation with themselves', () => {
    const to = (userIds: number[]): ScheduledMessageEvent => ({
      type: 'MessageScheduled',
      data: { ...ids(), ...head, recipient: { type: 'direct', userIds }, keyId: 'k1', words: { ...words, topic: '' } },
    });
    when([], 2000, direct(1, 4, 9)).then([to([4, 9])]);
    when([], 2000, direct(1)).then([to([1])]);
  });

  it('needs a time in the future, and room', () => {
    when([], NOW).thenRefuses('SCHEDULE_TIME_PAST');
    when(Array.from({ length: MOST_SCHEDULES }, (_, index) => scheduled(index + 1))).thenRefuses('TOO_MANY_SCHEDULES');
    const large = inChannel('x'.repeat(4 * 1024 ** 2));
    when([], 2000, large).thenRefuses('SCHEDULES_TOO_LARGE', { limit: 4 });
  });

  it('leaves no words in the state', () =>
    expect(JSON.stringify(given(scheduledMessages, [scheduled()]).state)).not.toMatch(/Hello|plans/));
});

describe('editing a scheduled message', () => {
  const when = (changes: ScheduleChanges, history: Events = [scheduled()], text?: string) =>
    given(scheduledMessages, history).when(
      decideEditScheduledMessage,
      new EditScheduledMessage({ ...ids(), changes, by }),
      { keyId: 'k2', now: NOW, written: inChannel(text) },
    );

  it('replaces its words under a new key', () => {
    when({ content: 'Bye' }, [scheduled()], 'Bye').then([
      edited({}, { ...words, text: 'Bye', rendered: '<p>Bye</p>' }),
    ]);
    when({ sendAt: 3000 }).then([edited({ sendAt: 3000 })]);
    when({ sendAt: NOW }).thenRefuses('SCHEDULE_TIME_PAST');
  });

  it('that could not be sent needs a new time, and lets it wait again', () => {
    const history = [scheduled(), begun(), failed];
    when({ content: 'Hello' }, history).thenRefuses('SCHEDULE_TIME_PAST');
    when({ sendAt: 3000 }, history).then([edited({ sendAt: 3000 })]);
    const { state } = given(scheduledMessages, [...history, edited({ sendAt: 3000 })]);
    expect(state.byId.get(1)).toMatchObject({ status: 'waiting', keyId: 'k2' });
  });

  it('is refused once it is being sent, and if there is none', () => {
    when({ sendAt: 3000 }, [scheduled(), begun()]).thenRefuses('SCHEDULE_SENT');
    when({ sendAt: 3000 }, [scheduled(), begun(), sent()]).thenRefuses('SCHEDULE_NOT_FOUND');
    when({ sendAt: 3000 }, []).thenRefuses('SCHEDULE_NOT_FOUND');
  });

  it('merges the changes with the message as it is', () => {
    const before = { recipient: head.recipient, topic: 'plans', text: 'Hello' };
    const to = { type: 'channel', channel: 7, topic: 'plans' };
    expect(changedMessage(before, { content: 'Bye' })).toEqual({ to, content: 'Bye' });
    expect(changedMessage(before, { topic: 'other' })).toEqual({ to: { ...to, topic: 'other' }, content: 'Hello' });
    expect(changedMessage(before, { to: [8] })).toEqual({ to: { ...to, channel: 8 }, content: 'Hello' });
    const users = { type: 'direct', users: [4, 9] };
    expect(changedMessage(before, { type: 'direct', to: [4, 9, 4] })).toEqual({ to: users, content: 'Hello' });
    expect(() => changedMessage(before, { type: 'direct' })).toThrow('SCHEDULE_RECIPIENT_MISSING');
    expect(() => changedMessage(before, { type: 'channel', to: [8] })).toThrow('SCHEDULE_TOPIC_MISSING');
    expect(() => changedMessage(before, { to: [8, 9] })).toThrow('ONE_CHANNEL_EXPECTED');
  });
});

describe('deleting a scheduled message', () => {
  const when = (history: Events) =>
    given(scheduledMessages, history).when(
      decideDeleteScheduledMessage,
      new DeleteScheduledMessage({ ...ids(), by }),
      undefined,
    );

  it('ends its key, unless it is being sent', () => {
    when([scheduled()]).then([deleted()]);
    when([scheduled(), begun(), failed]).then([deleted()]);
    when([scheduled(), begun()]).thenRefuses('SCHEDULE_SENT');
    when([]).thenRefuses('SCHEDULE_NOT_FOUND');
  });
});

describe('sending a scheduled message', () => {
  const version = { ...ids(), keyId: 'k1', by };
  const begin = (history: Events, now = NOW) =>
    given(scheduledMessages, history).when(decideBeginScheduledSend, new BeginScheduledSend(version), { now });
  const end = (history: Events) =>
    given(scheduledMessages, history).when(
      decideEndScheduledSend,
      new EndScheduledSend({ ...version, messageId: 12 }),
      undefined,
    );
  const fail = (history: Events) =>
    given(scheduledMessages, history).when(
      decideFailScheduledSend,
      new FailScheduledSend({ ...version, reason: 'NOT_AUTHORIZED' }),
      undefined,
    );

  it('is begun by one process, and taken over if that one does not end it', () => {
    begin([scheduled()]).then([begun()]);
    begin([scheduled(), begun()]).thenRefuses('SCHEDULE_NOT_FOUND');
    begin([scheduled(), begun()], NOW + TAKEN_OVER_AFTER_MS - 1).thenRefuses('SCHEDULE_NOT_FOUND');
    const later = NOW + TAKEN_OVER_AFTER_MS;
    begin([scheduled(), begun()], later).then([begun(later)]);
  });

  it('is not begun for an older version, a failed one, or none', () => {
    begin([scheduled(), edited({})]).thenRefuses('SCHEDULE_NOT_FOUND');
    begin([scheduled(), begun(), failed]).thenRefuses('SCHEDULE_NOT_FOUND');
    begin([scheduled(), deleted()]).thenRefuses('SCHEDULE_NOT_FOUND');
  });

  it('ends once, with a message or with a failure', () => {
    end([scheduled(), begun()]).then([sent()]);
    end([scheduled(), begun(), sent()]).thenNothing();
    fail([scheduled(), begun()]).then([failed]);
    fail([scheduled(), begun(), failed]).thenNothing();
    fail([scheduled(), begun(), sent()]).thenNothing();
  });

  it('ends with the message even if another process recorded a failure', () => {
    end([scheduled(), begun(), failed]).then([sent()]);
    end([scheduled(), begun(), failed, edited({})]).thenNothing();
  });
});
