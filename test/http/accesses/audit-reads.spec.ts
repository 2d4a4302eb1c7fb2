import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { filesWith } from '../../support/files-with.js';
import { recordedAccesses, times, together } from '../../support/requests/recorded-accesses.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ADDRESS = '203.0.113.77';
const from = { headers: { 'X-Forwarded-For': ADDRESS, 'User-Agent': 'Auditor/1.0' } };
const NOWHERE = '018f0000-0000-7000-8000-000000000001';
const NOTHING = {
  ...{ eventId: null, messageId: null, channelId: null, subjectId: null, actorId: null },
  ...{ kinds: [], from: null, to: null, texts: [] },
};

describe('uses of the audit in the log', () => {
  let annals: Annals;
  let owner: Member;
  beforeEach(async () => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30' });
    owner = await annals.owner();
  });
  afterEach(() => annals.stop());

  const ask = (parameters: Readonly<Record<string, unknown>>, headers = {}) =>
    owner.api.get('/audit/events', parameters, { headers: { ...from.headers, ...headers } });
  const reads = async () => (await recordedAccesses(annals)).filter(({ type }) => type === 'AuditRead');
  const read = (data: object, count = 1) => ({
    type: 'AuditRead',
    data: { of: 'events', format: 'json', ...NOTHING, ...data, ...times(count) },
    metadata: { actorId: owner.id, client: 'Auditor', address: ADDRESS },
  });

  it('say who asked for what, and once for all pages', async () => {
    const asked = { channel_id: 1, subject_user_id: owner.id, actor: owner.id, kind: ['MessageSent'] };
    for (const after of [undefined, 3, 2])
      expect(
        (await ask({ ...asked, since: 1, until: 2, limit: 1, ...(after === undefined ? {} : { after }) })).status,
      ).toBe(200);
    const found = { channelId: 1, subjectId: owner.id, actorId: owner.id, kinds: ['MessageSent'] };
    expect(together(await reads())).toEqual([read({ ...found, from: 1000, to: 2999 }, 3)]);
  });

  it('name the texts that were asked for, and hold none of them', async () => {
    await ask({ channel_id: 1, topic: 'whispered-topic', actor: owner.email, client: 'whispered-client' });
    expect(await reads()).toEqual([read({ channelId: 1, texts: ['topic', 'client', 'actor'] })]);
    await annals.restart(async () => {
      expect(await filesWith(annals.dataDirectory, [Buffer.from('whispered')])).toEqual([]);
    });
  });

  it('tell the tables and proofs that were handed out', async () => {
    await ask({}, { Accept: 'text/csv' });
    await ask({ message_id: 5 }, { Accept: 'application/x-ndjson' });
    const sent = { type: 'channel', to: 'general', topic: 'plans', content: 'hello' };
    const { id } = (await owner.api.post('/messages', sent)).body;
    const { proofs } = (await owner.api.get('/audit/proof', { message_id: id }, from)).body;
    const eventId = proofs[0].event.id;
    await owner.api.get('/audit/proof', { event_id: eventId }, from);
    expect(await reads()).toEqual([
      read({ format: 'csv' }),
      read({ format: 'jsonl', messageId: 5 }),
      read({ of: 'proof', messageId: id }),
      read({ of: 'proof', eventId }),
    ]);
  });

  it('are found by the audit itself, and do not add to what they read', async () => {
    const sent = { type: 'channel', to: 'general', topic: 'plans', content: 'hello' };
    const { id } = (await owner.api.post('/messages', sent)).body;
    const kinds = async (question: object) =>
      (await ask({ ...question })).body.events.map(({ kind }: { kind: string }) => kind);
    expect(await kinds({ message_id: id })).toEqual(['MessageSent']);
    await reads();
    expect(await kinds({ message_id: id })).toEqual(['MessageSent']);
    expect(await kinds({ kind: ['AuditRead'], actor: owner.id })).toEqual(['AuditRead']);
  });

  it('are none if there was no answer', async () => {
    const iris = await annals.user('iris');
    await iris.api.get('/audit/events');
    await iris.api.get('/audit/proof', { message_id: 1 });
    await ask({ message_id: 'x' });
    await ask({ topic: 'without a channel' });
    await owner.api.get('/audit/proof');
    await owner.api.get('/audit/proof', { event_id: NOWHERE });
    expect(await reads()).toEqual([]);
  });
});
