import { afterEach, describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { AddressKeySweeper } from '../../../src/platform/commands/month-key-sweeper.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore, type StoredEvent } from '../../../src/platform/log/event-store.js';
import { filesWith } from '../../support/files-with.js';
import { Annals } from '../../support/servers/annals.js';

const ADDRESS = '203.0.113.77';
const from = { headers: { 'X-Forwarded-For': ADDRESS } };
const PASSWORD = 'correct horse battery';

describe('the address of a request', () => {
  let annals: Annals;
  afterEach(() => annals.stop());

  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback', ...settings });
    return annals.owner();
  };
  const eventsAfter = async (after: number): Promise<readonly StoredEvent[]> =>
    (await annals.app.get<EventStore>(EVENT_STORE).readAll({ after, limit: 100_000 })).events;
  const told = async (events: readonly StoredEvent[]) => {
    const codec = new EventCodec(annals.app.get<ContentKeys>(CONTENT_KEYS), eventRegistry);
    return (await codec.decodeWithAddresses(events)).map(({ type, metadata }) => [type, metadata.address]);
  };

  it('is kept with the events of the request, and not with consequences nor what the server does itself', async () => {
    const owner = await start();
    const began = await eventsAfter(START);
    expect(began.filter(({ metadata }) => 'address' in metadata)).toEqual([]);
    const month = new Date().toISOString().slice(0, 7);
    const head = await annals.head();
    await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'new', content: 'hello' }, from);
    const made = await eventsAfter(head);
    expect(await told(made)).toEqual([
      ['MessageSent', ADDRESS],
      ['TopicPolicySet', undefined],
    ]);
    expect(made[0]?.metadata.address?.keyId).toBe(`address:${owner.id}:${month}`);

    const email = 'zoe@example.com';
    await owner.api.post('/users', { email, password: PASSWORD, full_name: 'Zoë' });
    const before = await annals.head();
    await annals.api.post('/fetch_api_key', { username: email, password: PASSWORD }, from);
    expect(await told(await eventsAfter(before))).toEqual([['ApiKeyIssued', ADDRESS]]);
  });

  it('is nowhere in plain text: not in log, documents, keys, files, nor in what clients get', async () => {
    const owner = await start();
    const { body: queue } = await owner.api.post('/register', {}, from);
    const send = { type: 'channel', to: 'general', topic: 't', content: 'hello' };
    const { body: sent } = await owner.api.post('/messages', send, from);
    await owner.api.patch(`/messages/${sent.id}`, { content: 'hello again', topic: 'u' }, from);
    await owner.api.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'later' }] }, from);
    const { body: events } = await owner.api.get('/events', { queue_id: queue.queue_id, last_event_id: -1 }, from);
    expect(events.events.length).toBeGreaterThan(1);
    const { body: history } = await owner.api.get(`/messages/${sent.id}/history`, {}, from);
    for (const answer of [queue, sent, events, history]) expect(JSON.stringify(answer)).not.toMatch(/203\.0|"box"/);
    expect((await told(await eventsAfter(START))).filter(([, address]) => address === ADDRESS).length).toBeGreaterThan(
      4,
    );
    await annals.restart(async () => {
      expect(await filesWith(annals.dataDirectory, [Buffer.from(ADDRESS)])).toEqual([]);
    });
  });

  it('cannot be read once its time is over, while the message can', async () => {
    const owner = await start({ ANNALS_ADDRESS_DAYS: '7' });
    const head = await annals.head();
    await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'stays' }, from);
    const [event] = await eventsAfter(head);
    const at = new Date(event?.metadata.at ?? 0);
    const monthEnds = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1);
    const sweeper = annals.app.get(AddressKeySweeper);
    await sweeper.sweep(monthEnds + 7 * 86_400_000);
    expect(await told(event ? [event] : [])).toEqual([['MessageSent', ADDRESS]]);
    await sweeper.sweep(monthEnds + 7 * 86_400_000 + 1);
    expect(await told(event ? [event] : [])).toEqual([['MessageSent', null]]);
    const { body } = await owner.api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(body.messages[0].content).toContain('stays');
  });

  it('is not kept at all if the setting is 0', async () => {
    const owner = await start({ ANNALS_ADDRESS_DAYS: '0' });
    await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'hello' }, from);
    const events = await eventsAfter(START);
    expect(events.at(-1)?.type).toBe('MessageSent');
    expect(events.filter(({ metadata }) => 'address' in metadata)).toEqual([]);
  });
});
