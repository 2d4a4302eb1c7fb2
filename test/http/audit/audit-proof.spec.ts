import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const NOWHERE = '018f0000-0000-7000-8000-000000000001';

describe('GET /audit/proof', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let id: number;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    iris = await annals.user('iris');
    id = (await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'plans', content: 'words' })).body
      .id;
    await owner.api.patch(`/messages/${id}`, { content: 'other words' });
    await owner.api.patch(`/messages/${id}`, { topic: 'ideas', propagate_mode: 'change_all' });
    await owner.api.delete(`/messages/${id}`);
  });
  afterAll(() => annals.stop());

  /** What verify.mjs says about an answer, or about lines of JSON. */
  async function verified(body: object | string): Promise<string> {
    const head = await annals.app.get(PublishedTree).head();
    const file = join(annals.dataDirectory, 'answer.json');
    await writeFile(file, typeof body === 'string' ? body : JSON.stringify(body));
    const words = [join(ROOT, 'bin/verify.mjs'), file, '--key', head?.verifier ?? ''];
    return (await promisify(execFile)(process.execPath, words)).stdout;
  }
  const provedIn = (printed: string): readonly string[] =>
    printed.split('\n').filter((line) => / is event \d/.test(line));
  const kindsOf = ({ proofs }: { proofs: { event: { type: string } }[] }) => proofs.map(({ event }) => event.type);

  it('proves each event of a message, a deleted one too, at once after it was changed', async () => {
    const { body } = await owner.api.get('/audit/proof', { message_id: id });
    expect(kindsOf(body)).toEqual(['MessageSent', 'MessageEdited', 'MessagesMoved', 'MessageDeleted']);
    expect(provedIn(await verified(body))).toHaveLength(4);
    expect(JSON.stringify(body)).not.toContain('words');
  });

  it('proves an event by its id, before and after a restart and a rebuild', async () => {
    const event = (await annals.events('users')).at(-1);
    const ask = async () => (await owner.api.get('/audit/proof', { event_id: event?.id })).body;
    const before = await ask();
    expect(kindsOf(before)).toEqual(['ApiKeyIssued']);
    expect(before.proofs[0]).toMatchObject({ hidden: ['data.keyHash'], event: { data: { keyHash: '(hash)' } } });
    expect(await verified(before)).toContain('only its leaf is proved');
    await annals.restart(() => annals.removeDocuments());
    const after = await ask();
    expect(after.proofs[0].event).toEqual(before.proofs[0].event);
    expect(await verified(after)).toContain(event?.id);
  });

  it('comes with each event of the audit that is asked for with proofs', async () => {
    const questions = [{ message_id: id }, { limit: 30, order: 'oldest' }, { limit: 30, kind: ['ApiKeyIssued'] }];
    for (const question of questions) {
      const { body } = await owner.api.get('/audit/events', { ...question, proofs: true });
      expect(body.events.length).toBeGreaterThan(1);
      expect(provedIn(await verified(body))).toHaveLength(body.events.length);
      const plain = (await owner.api.get('/audit/events', question)).body;
      expect({ ...body, events: body.events.map(({ proof: _, ...event }: { proof: object }) => event) }).toEqual(plain);
      for (const { id: event_id, proof } of body.events) {
        const [single] = (await owner.api.get('/audit/proof', { event_id })).body.proofs;
        // Each answer is under the newest checkpoint.
        expect({ ...proof, proof: '' }).toEqual({ ...single, proof: '' });
        expect(proof.proof.split('\n')[1]).toBe(single.proof.split('\n')[1]);
      }
    }
  });

  it('proves a change that was just answered, in pages that meet the end of the log', async () => {
    await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'plans', content: 'newest' });
    const { body } = await owner.api.get('/audit/events', { proofs: true, limit: 2, kind: ['MessageSent'] });
    expect(body.events).toHaveLength(2);
    expect(body.events[0].proof.event).toMatchObject({ id: body.events[0].id, type: 'MessageSent' });
    expect(await verified(body)).toContain(body.events[0].id);
    expect(body.events.at(-1).position).toBe(body.cursor);
  });

  it('comes in JSON lines, and is refused for CSV', async () => {
    const fetched = (accept: string) =>
      fetch(`${annals.url}/api/v1/audit/events?proofs=true&message_id=${id}`, {
        headers: { accept, authorization: `Basic ${Buffer.from(`${owner.email}:${owner.apiKey}`).toString('base64')}` },
      });
    const text = await (await fetched('application/x-ndjson')).text();
    expect(text.trimEnd().split('\n')).toHaveLength(4);
    expect(provedIn(await verified(text))).toHaveLength(4);
    const refused = await fetched('text/csv');
    expect([refused.status, await refused.json()]).toEqual([
      400,
      expect.objectContaining({ msg: 'CSV has no room for proofs: ask for JSON or JSON lines' }),
    ]);
    await expectRefusal(annals, () => owner.api.get('/audit/events', { proofs: 3 }), {
      msg: expect.stringContaining('proofs'),
    });
  });

  it('refuses others, and what is not there', async () => {
    const ask =
      (params: Params, by = owner) =>
      () =>
        by.api.get('/audit/proof', params);
    const noOwner = { code: 'UNAUTHORIZED_PRINCIPAL', msg: expect.any(String) };
    await expectRefusal(annals, ask({ message_id: id }, iris), noOwner);
    for (const params of [{}, { message_id: id, event_id: NOWHERE }])
      await expectRefusal(annals, ask(params), 'Give event_id or message_id');
    for (const params of [{ message_id: 9999 }, { event_id: NOWHERE }])
      await expectRefusal(annals, ask(params), { code: 'NOT_FOUND', msg: 'The log has no such event' }, 404);
    await expectRefusal(annals, ask({ event_id: 'x' }), { msg: expect.stringContaining('event_id') });
  });
});
