import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import { Directory } from '../../../src/directory/directory.js';
import type { UserRecord } from '../../../src/directory/directory.records.js';
import { ListAuditEvents } from '../../../src/features/audit/queries/audit.queries.js';
import { ALL_EVENTS } from '../../../src/features/audit/queries/audit-question.js';
import { csvRecords } from '../../support/csv.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('GET /audit/events as a stream of texts', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    for (let at = 0; at < 250; at++)
      await owner.api.post('/messages', { type: 'channel', to: 'general', topic: '=SUM(A1)', content: 'words' });
  });
  afterAll(() => annals.stop());

  const fetchAs = (member: Member, accept: string, query = ''): Promise<Response> =>
    fetch(`${annals.url}/api/v1/audit/events${query}`, {
      headers: {
        accept,
        authorization: `Basic ${Buffer.from(`${member.email}:${member.apiKey}`).toString('base64')}`,
      },
    });
  const everything = async (order: string) =>
    (await owner.api.get('/audit/events', { order, limit: 1000 })).body.events;

  it('has all pages as JSON lines, up to the head', async () => {
    for (const order of ['newest', 'oldest']) {
      const answer = await fetchAs(owner, 'application/json;q=0.5, application/x-ndjson', `?order=${order}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
      expect(answer.headers.get('vary')).toMatch(/Accept(,|$)/);
      const lines = (await answer.text()).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(await everything(order));
      expect(lines.length).toBeGreaterThan(250);
    }
  });

  it('has all pages as CSV, and as few events as are asked for', async () => {
    const answer = await fetchAs(owner, 'text/csv', '?order=oldest');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const [header = [], ...records] = csvRecords(await answer.text());
    const entries = await everything('oldest');
    const position = header.indexOf('position');
    expect(records.map((record) => Number(record[position]))).toEqual(
      entries.map((entry: { position: number }) => entry.position),
    );
    const after = entries[9].position;
    const some = csvRecords(await (await fetchAs(owner, 'text/csv', `?order=oldest&limit=3&after=${after}`)).text());
    expect(some).toEqual([header, ...records.slice(10, 13)]);
  });

  it('stays JSON for all who do not ask for another format', async () => {
    for (const accept of ['*/*', 'application/json, text/csv;q=0.9', 'text/html', 'text/csv;q=0']) {
      const answer = await fetchAs(owner, accept);
      expect(answer.headers.get('content-type')).toMatch('application/json');
      expect(answer.headers.get('vary')).toMatch(/Accept(,|$)/);
      expect(await answer.json()).toMatchObject({ result: 'success', found_end: false });
    }
  });

  it('is refused in the envelope', async () => {
    const iris = await annals.user('iris');
    for (const [member, query, code] of [
      [iris, '', 'UNAUTHORIZED_PRINCIPAL'],
      [owner, '?topic=t', 'BAD_REQUEST'],
    ] as const)
      expect(await (await fetchAs(member, 'text/csv', query)).json()).toMatchObject({ result: 'error', code });
  });

  it('ends when the client hangs up', async () => {
    const client = { isDisconnected: false };
    const reader = annals.app.get(Directory).user(owner.id) as UserRecord;
    const range = { order: 'oldest', after: null, limit: null } as const;
    const pages = await annals.app
      .get(QueryBus)
      .execute(
        new ListAuditEvents({ reader, question: ALL_EVENTS, range, proofs: false, wordsBy: null, connection: client }),
      );
    expect((await pages.next()).value).toHaveLength(100);
    client.isDisconnected = true;
    await expect(pages.next()).rejects.toThrow('the client has disconnected');
  });
});
