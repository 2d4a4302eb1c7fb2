import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { SENTENCES, toldInWords } from '../../../src/features/audit/formats/sentences.js';
import type { AuditEntry } from '../../../src/features/audit/queries/audit-entry.js';

const told = (kind: string, data: AuditEntry['data']): string => {
  const channels = [
    { channel_id: 1, name: 'general', name_today: 'general' },
    { channel_id: 2, name: 'ops', name_today: 'ops' },
  ];
  const entry = { kind, revision: 11, channels, topics: [], data } as unknown as AuditEntry;
  return toldInWords(entry, eventRegistry.get(kind)?.sealed?.field);
};
const a = { channelId: 1, topic: 'a' };
const sealed = { sealed: true };

describe('what the audit says was done', () => {
  it.each([
    ['MessageSent', { recipient: { type: 'channel', ...a }, content: sealed }, 'sent message 12 to general > a'],
    [
      'MessageSent',
      { recipient: { type: 'direct', userIds: [3, 7] } },
      'sent message 12 to a direct message of users 3, 7',
    ],
    ['MessageEdited', { messageId: 12, place: a, placeAsOf: 12913 }, 'edited message 12 in general > a'],
    [
      'MessagesMoved',
      { messageCount: 3, from: a, to: { channelId: 2, topic: 'b' } },
      'moved 3 messages from general > a to ops > b',
    ],
    ['MessagesMoved', { messageCount: 1, from: a, to: a }, 'moved 1 message from general > a to general > a'],
    ['UsersSubscribed', { channelId: 9, userIds: [3] }, 'subscribed user 3 to channel 9'],
    ['UserRoleChanged', { userId: 3, from: 400, to: 200 }, 'changed the role of user 3 from member to administrator'],
    [
      'RealmSettingChanged',
      { setting: 'name', from: 'A', to: null },
      'changed the setting name of the organization from "A" to null',
    ],
  ])('is a sentence for %s', (kind, data, sentence) => {
    expect(told(kind, data)).toBe(sentence);
  });

  it('is a list of fields for kinds without a sentence, without those of the server', () => {
    const data = { draftId: 7, words: ['x'], name: 'n', nothing: null, placeAsOf: 12913, content: sealed };
    expect(told('DraftSaved', data)).toBe('draftId: 7, words: ["x"], name: n, content: {"sealed":true}');
    expect(told('MessageFlagged', {})).toBe('');
  });

  it('has sentences for kinds of the log alone', () => {
    expect(Object.keys(SENTENCES).filter((kind) => !eventRegistry.has(kind))).toEqual([]);
  });
});
