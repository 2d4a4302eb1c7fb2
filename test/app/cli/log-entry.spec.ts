import { describe, expect, it } from '@jest/globals';
import { logEntry, readable } from '../../../src/app/cli/log-entry.js';
import type { MessageSent } from '../../../src/events/messages/messages.events.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';

const zoe = { id: 3, name: 'Zoë', email: 'zoe@example.com' };

const sent = (text: string | null, client = 'curl/8'): Recorded<MessageSent> => ({
  id: '0198a3de-0000-7000-8000-000000000001',
  type: 'MessageSent',
  stream: 'messages',
  revision: 16,
  position: 42,
  metadata: { actorId: 3, client, at: Date.UTC(2026, 0, 2, 3, 4, 5, 678), correlationId: 'c1', causationId: null },
  data: {
    senderId: 3,
    recipient: { type: 'channel', channelId: 1, topic: 'hello' },
    readBySender: true,
    localEcho: null,
    sendKey: null,
    content: text === null ? null : { text, rendered: `<p>${text}</p>`, rendererVersion: 1 },
  },
});

describe('an event of the log that is printed for people', () => {
  it('has position, time, stream, type, actor and client, then the payload', () => {
    expect(readable(logEntry(sent('Hello'), zoe, false))).toBe(
      '42  2026-01-02T03:04:05.678Z  messages@16  MessageSent  Zoë <zoe@example.com>  curl/8\n' +
        '    senderId=3 recipient={"type":"channel","channelId":1,"topic":"hello"} readBySender=true localEcho=null' +
        ' sendKey=null content=(sealed)',
    );
  });

  it('shows content only if asked', () => {
    expect(readable(logEntry(sent('Hello'), zoe, true))).toContain('content={"text":"Hello"');
    expect(readable(logEntry(sent(null), zoe, false))).toContain('content=(sealed)');
  });

  it('never shows hashes of passwords and keys, even if content is asked for', () => {
    const created: Recorded = {
      ...sent('x'),
      type: 'UserCreated',
      data: { userId: 3, passwordHash: '$argon2id$v=19$abc' },
    };
    const issued: Recorded = { ...sent('x'), type: 'ApiKeyIssued', data: { userId: 3, keyHash: 'deadbeef' } };
    expect(JSON.stringify(logEntry(created, zoe, true))).not.toContain('argon2id');
    expect(readable(logEntry(issued, zoe, true))).toContain('userId=3 keyHash="(hash)"');
    const ended: Recorded = { ...sent('x'), type: 'ApiKeysEnded', data: { userId: 3, keyHashes: ['dead', 'beef'] } };
    expect(readable(logEntry(ended, zoe, true))).toContain('userId=3 keyHashes=["(hash)","(hash)"]');
  });

  it('shows content without the secrets in it', () => {
    const applicant = { email: 'yan@example.com', fullName: 'Yan', passwordHash: '$argon2id$abc', welcomeText: null };
    const accepted: Recorded = { ...sent('x'), type: 'InvitationAccepted', data: { invitationId: 1, applicant } };
    expect(readable(logEntry(accepted, zoe, true))).toContain(
      'applicant={"email":"yan@example.com","fullName":"Yan","passwordHash":"(secret)","welcomeText":null}',
    );
    const webhook = { url: 'https://hooks.example.org', token: 'abc' };
    const set: Recorded = { ...sent('x'), type: 'BotWebhookSet', data: { userId: 3, webhook } };
    expect(readable(logEntry(set, zoe, true))).toContain(
      'webhook={"url":"https://hooks.example.org","token":"(secret)"}',
    );
  });

  it('says that its content is gone', () => {
    expect(readable(logEntry(sent(null), zoe, true))).toContain('content=(gone)');
  });

  it('says that an address is gone once its month is over, and before, that its key is missing', () => {
    const from = (at: number): string => {
      const event = sent('x');
      return readable(logEntry({ ...event, metadata: { ...event.metadata, at, address: null } }, zoe, true));
    };
    expect(from(Date.UTC(2020, 0, 2))).toContain('  from (gone)\n');
    expect(from(Date.now())).toContain('  from (key missing)\n');
  });

  it('names the server if no user acted, and the id of a user who is not known', () => {
    expect(readable(logEntry(sent('x'), null, false))).toContain('MessageSent  server  curl');
    expect(readable(logEntry(sent('x'), { id: 9, name: null, email: null }, false))).toContain(
      'MessageSent  user 9  curl',
    );
  });

  it.each([
    ['an escape', '\u001b[31m', '\\u{1b}[31m'],
    ['a line of its own', 'x\n43  forged', 'x\\u{a}43  forged'],
    ['a C1 control', '\u009b31m', '\\u{9b}31m'],
    ['text turned around', 'a\u202eb', 'a\\u{202e}b'],
  ])('does not let %s reach the terminal', (_name, client, shown) => {
    expect(readable(logEntry(sent('x', client), zoe, true)).split('\n')[0]).toContain(shown);
    expect(readable(logEntry(sent(client), zoe, true))).not.toContain(client);
  });
});

describe('an event of the log that is printed for scripts', () => {
  it('has fixed names of fields', () => {
    expect(logEntry(sent('Hello'), zoe, false)).toEqual({
      position: 42,
      time: '2026-01-02T03:04:05.678Z',
      stream: 'messages',
      revision: 16,
      id: '0198a3de-0000-7000-8000-000000000001',
      type: 'MessageSent',
      actor: zoe,
      client: 'curl/8',
      correlationId: 'c1',
      causationId: null,
      data: { ...sent(null).data, content: { sealed: true } },
    });
  });

  it('has the address of the request, null once it is gone, and no such field without one', () => {
    const from = (address: string | null): Recorded => ({ ...sent('x'), metadata: { ...sent('x').metadata, address } });
    expect(logEntry(from('203.0.113.7'), zoe, false).address).toBe('203.0.113.7');
    expect(logEntry(from(null), zoe, false).address).toBeNull();
    expect(logEntry(sent('x'), zoe, false)).not.toHaveProperty('address');
    const heading = (event: Recorded) => readable(logEntry(event, zoe, false)).split('\n')[0];
    expect(heading(from('203.0.113.7'))).toMatch(/ {2}curl\/8 {2}from 203\.0\.113\.7$/);
    expect(heading(from(null))).toMatch(/ {2}curl\/8 {2}from \(gone\)$/);
  });

  it('has null for content that is gone', () => {
    expect(logEntry(sent(null), zoe, true).data.content).toBeNull();
  });
});
