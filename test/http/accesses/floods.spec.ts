import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a flood of requests', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30' });
    owner = await annals.owner();
    iris = await annals.user('iris');
  });
  afterAll(() => annals.stop());

  const found = async (question: object, headers = {}) => {
    const { status, body } = await owner.api.get('/audit/events', { ...question }, { headers });
    expect([status, body.msg]).toEqual([200, '']);
    return body.events;
  };

  it('of questions for the words of a message leaves its newest page as it is', async () => {
    await iris.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], invite_only: true });
    const sent = { type: 'channel', to: 'secret', topic: 't', content: 'one' };
    const { id } = (await iris.api.post('/messages', sent)).body;
    await iris.api.patch(`/messages/${id}`, { content: 'two' });
    for (let n = 0; n < 50; n++) await found({ message_id: id, words: true });
    const newest = await found({ message_id: id, limit: 10 });
    expect(newest.map(({ kind }: { kind: string }) => kind)).toEqual(['MessageEdited', 'MessageSent']);

    const reading = { kind: 'AuditWordsRead', actor: { user_id: owner.id }, data: { messageIds: [id] } };
    const readings = await found({ message_id: id, kind: ['AuditWordsRead'] });
    expect(readings).toEqual(Array.from({ length: 50 }, () => expect.objectContaining({ kind: 'AuditWordsRead' })));
    expect(readings[0]).toMatchObject(reading);
    const both = await found({ message_id: id, kind: ['AuditWordsRead', 'MessageEdited'], limit: 60 });
    expect(both).toHaveLength(51);
  });
});
