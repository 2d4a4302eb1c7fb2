import { afterEach, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { AddressKeySweeper } from '../../../src/platform/commands/month-key-sweeper.js';
import { filesWith } from '../../support/files-with.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 7;

describe('GET /audit/events by the address of the request', () => {
  let annals: Annals;
  let owner: Member;
  afterEach(() => annals.stop());

  const start = async (): Promise<void> => {
    const settings = { ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ADDRESS_DAYS: String(KEPT_DAYS) };
    annals = await Annals.start(settings);
    owner = await annals.owner();
  };
  const send = async (by: Member, address: string, topic = 'plans'): Promise<number> => {
    const message = { type: 'channel', to: 'general', topic, content: 'words' };
    const answer = await by.api.post('/messages', message, { headers: { 'X-Forwarded-For': address } });
    expect(answer.status).toBe(200);
    return answer.body.id;
  };
  const found = async (question: object): Promise<readonly number[]> => {
    const { status, body } = await owner.api.get('/audit/events', {
      kind: ['MessageSent'],
      order: 'oldest',
      ...question,
    });
    expect([status, body.found_end]).toEqual([200, true]);
    return body.events.map(({ revision }: { revision: number }) => revision + 1);
  };

  it('finds requests of everybody from there, in any spelling of the address', async () => {
    await start();
    const iris = await annals.user('iris');
    const v4 = [await send(owner, '203.0.113.7'), await send(iris, '::ffff:203.0.113.7')];
    const v6 = [await send(iris, '2001:db8::7'), await send(owner, '2001:0DB8:0:0::0007')];
    await send(owner, '203.0.113.70');
    await send(iris, '2001:db8::70');
    for (const address of ['203.0.113.7', '::ffff:203.0.113.7', '::FFFF:CB00:7107', '0:0:0:0:0:ffff:203.0.113.7'])
      expect([address, await found({ address })]).toEqual([address, v4]);
    for (const address of ['2001:db8::7', '2001:DB8::0007', '2001:db8:0:0:0:0:0:7'])
      expect([address, await found({ address })]).toEqual([address, v6]);
    expect(await found({ address: '2001:db8::7', actor: 'iris' })).toEqual([v6[0]]);
    expect(await found({ address: '2001:db8::7', order: 'newest' })).toEqual([...v6].reverse());
    expect(await found({ address: '203.0.113.77' })).toEqual([]);
  });

  it('finds few among many, page by page', async () => {
    await start();
    const few: number[] = [];
    for (let at = 0; at < 250; at++) {
      const isOther = at % 83 === 0;
      const id = await send(owner, isOther ? '203.0.113.7' : '203.0.113.8');
      if (isOther) few.push(id);
    }
    const paged: number[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const asked = { address: '203.0.113.7', order: 'oldest', limit: 1, kind: ['MessageSent'], after };
      const { body } = await owner.api.get('/audit/events', asked);
      paged.push(...body.events.map(({ revision }: { revision: number }) => revision + 1));
      after = body.cursor;
    }
    expect(few).toHaveLength(4);
    expect(paged).toEqual(few);
  });

  it('finds the same after a rebuild, and nothing once the key of the month is destroyed', async () => {
    await start();
    const ids = [await send(owner, '203.0.113.7')];
    const rebuild = () => annals.app.get<ReadSide>(READ_SIDE).rebuild(['audit'], () => {});
    expect(await found({ address: '203.0.113.7' })).toEqual(ids);
    await rebuild();
    expect(await found({ address: '203.0.113.7' })).toEqual(ids);
    await annals.restart(async () => {
      expect(await filesWith(annals.dataDirectory, [Buffer.from('203.0.113.7')])).toEqual([]);
    });
    const now = new Date();
    const monthEnds = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    await annals.app.get(AddressKeySweeper).sweep(monthEnds + KEPT_DAYS * DAY_MS + 1);
    for (let time = 0; time < 2; time++) {
      expect(await found({ address: '203.0.113.7' })).toEqual([]);
      expect(await found({})).toEqual(ids);
      await rebuild();
    }
  });

  it('refuses what is no address', async () => {
    await start();
    for (const address of ['', '1.2.3', '203.0.113.256', '203.0.113.0/24', 'localhost', '2001:db8::g'])
      await expectRefusal(annals, () => owner.api.get('/audit/events', { address }), 'address is no IP address');
  });
});
