import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { eventually } from '../../support/eventually.js';
import { contents, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('polls when the server closes', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    // Longer than a test may take, so that no poll ends by a heartbeat.
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '600' });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const waiting = (polls: number) => eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(polls));
  const send = async (content: string) =>
    owner.api.post('/messages', { type: 'channel', to: 'general', topic: 't', content });

  it('are answered, and their queues continue with the next process', async () => {
    const queues = [await EventQueue.register(owner.api), await EventQueue.register(owner.api)];
    const polls = queues.map((queue) => queue.poll());
    await waiting(2);
    await annals.restart();
    for (const [index, queue] of queues.entries()) {
      expect(await polls[index]).toEqual([{ type: 'heartbeat', id: queue.lastEventId }]);
      queue.api = owner.api;
    }
    await send('after the restart');
    for (const queue of queues) expect(contents(await queue.drain())).toEqual(['after the restart']);
  });

  it('end as soon as their client closes the connection', async () => {
    const queue = await EventQueue.register(owner.api);
    const { hostname, port } = new URL(annals.url);
    const asked = request({
      hostname,
      port,
      path: `/api/v1/events?queue_id=${queue.id}&last_event_id=${queue.lastEventId}`,
      auth: `${owner.email}:${owner.apiKey}`,
    });
    asked.on('error', () => undefined);
    asked.end();
    await waiting(1);
    asked.destroy();
    await waiting(0);
    await send('to who comes back');
    expect(contents(await queue.drain())).toEqual(['to who comes back']);
  });
});
