import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from '../../../src/features/markdown/render-markdown.js';
import {
  messageNotification,
  type PushedMessage,
  removeNotification,
} from '../../../src/features/push/notifications/message-notification.js';
import { plainText } from '../../../src/features/push/notifications/plain-text.js';

const origin = { realmUrl: 'https://chat.example', realmName: 'Example', userId: 10 };
const sender = { id: 7, email: 'noor@example.com', name: 'Noor', avatarUrl: 'https://avatars.example/7' };
const to = { type: 'channel', id: 3, name: 'general', topic: 'tea' } as const;
const direct = { type: 'direct', userIds: [7, 10], names: ['Noor'] } as const;
const group = { type: 'direct', userIds: [5, 7, 10], names: ['Ana', 'Noor'] } as const;
const message: PushedMessage = {
  id: 42,
  time: 1_700_000_000,
  content: 'Hello',
  sender,
  to,
  trigger: 'mentioned',
  group: null,
};
const of = (changes: Partial<PushedMessage>, hides = false) =>
  messageNotification(origin, { ...message, ...changes }, hides);
const alertOf = (changes: Partial<PushedMessage>) => of(changes).plain.apple.alert;

describe('the notification of a message', () => {
  it('names place and reason', () => {
    const title = '#general > tea';
    expect(alertOf({})).toEqual({ title, subtitle: 'Noor mentioned you:', body: 'Hello' });
    expect(alertOf({ group: { id: 9, name: 'ops' } })).toMatchObject({ subtitle: 'Noor mentioned @ops:' });
    expect(alertOf({ trigger: 'stream_wildcard_mentioned' })).toMatchObject({ subtitle: 'Noor mentioned everyone:' });
    expect(alertOf({ trigger: 'stream_push_notify' })).toMatchObject({ subtitle: 'Noor:' });
    expect(alertOf({ to: direct, trigger: 'direct_message' })).toMatchObject({ title: 'Noor', subtitle: '' });
    expect(alertOf({ to: group, trigger: 'direct_message' })).toMatchObject({ title: 'Ana, Noor', subtitle: 'Noor:' });
    expect(alertOf({ to: { ...to, topic: '' } })).toMatchObject({ title: '#general > general chat' });
  });

  it('has the fields of each form', () => {
    const { plain, inner } = of({ group: { id: 9, name: 'ops' } });
    const mentioned = { mentioned_user_group_id: 9, mentioned_user_group_name: 'ops' };
    expect(plain.apple.zulip).toMatchObject({
      message_ids: [42],
      recipient_type: 'stream',
      stream: 'general',
      stream_id: 3,
      topic: 'tea',
      ...mentioned,
    });
    expect(Object.values(plain.google).every((value) => typeof value === 'string')).toBe(true);
    expect(plain.google).toMatchObject({ zulip_message_id: '42', stream_id: '3', server: 'chat.example' });
    expect(JSON.parse(inner)).toEqual({
      realm_url: 'https://chat.example',
      realm_name: 'Example',
      user_id: 10,
      type: 'message',
      message_id: 42,
      sender_id: 7,
      sender_full_name: 'Noor',
      sender_avatar_url: 'https://avatars.example/7',
      time: 1_700_000_000,
      content: 'Hello',
      recipient_type: 'channel',
      channel_id: 3,
      channel_name: 'general',
      topic: 'tea',
      ...mentioned,
    });
    expect(of({ to: group }).plain.google).toMatchObject({ recipient_type: 'private', pm_users: '5,7,10' });
    expect(JSON.parse(of({ to: group }).inner)).toMatchObject({ recipient_type: 'direct', pm_users: '5,7,10' });
    expect(of({ to: direct }).plain.google).not.toHaveProperty('pm_users');
  });

  it('hides the content from the services, but not in encrypted ones', () => {
    const { plain, inner } = of({}, true);
    expect(JSON.stringify(plain)).not.toContain('Hello');
    expect(plain.apple.alert?.body).toBe('New message');
    expect(JSON.parse(inner).content).toBe('Hello');
  });

  it('is removed by its id', () => {
    const { plain, inner } = removeNotification(origin, [41, 42], 'r42');
    expect(plain).toMatchObject({
      isUrgent: false,
      apple: { badge: 0, zulip: { event: 'remove', zulip_message_ids: '41,42' } },
      google: { event: 'remove', zulip_message_ids: '41,42' },
    });
    expect(JSON.parse(inner)).toMatchObject({ type: 'remove', message_ids: [41, 42] });
  });
});

describe('the text of a notification', () => {
  it.each([
    ['**bold** & <plain>', 'bold & <plain>'],
    [':tada: done', '🎉 done'],
    ['one\n\ntwo', 'one\ntwo'],
    ['> said\n> more\n\nanswer', '> said\n> more\nanswer'],
    ['```spoiler Title\nhidden\n```', 'Title\n(…)'],
    ['* one\n* two', 'one\ntwo'],
    ['`code` and [a link](https://example.com)', 'code and a link'],
  ])('of %j is %j', (text, expected) => {
    expect(plainText(renderMarkdown(text))).toBe(expected);
  });

  it('is cut after 200 characters', () => {
    expect(plainText(`<p>${'😀'.repeat(200)}</p>`)).toBe('😀'.repeat(200));
    expect(plainText(`<p>${'😀'.repeat(201)}</p>`)).toBe(`${'😀'.repeat(200)}…`);
  });
});
