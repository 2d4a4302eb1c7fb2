import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { type ProcessFigures, ProcessMeter } from '../../../src/platform/meter/process-meter.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('the figures of the process in GET /health', () => {
  let annals: Annals;
  let owner: Member;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_RATE_LIMIT: '0' });
    owner = await annals.owner();
  });
  afterAll(() => annals.stop());

  const figures = async (): Promise<ProcessFigures> => (await owner.api.get('/health')).body.process;
  const send = (content: string) =>
    owner.api.post('/messages', { type: 'channel', to: 'general', topic: 'words', content });

  it('count messages that were sent, and no other events', async () => {
    const before = await figures();
    for (const content of ['one', 'two', 'three']) await send(content);
    await owner.api.post('/saved_snippets', { title: 'a', content: 'b' });
    const after = await figures();
    expect(after.messagesSent).toBe(before.messagesSent + 3);
    expect(after.startedAt).toBe(before.startedAt);
  });

  it('count requests, and tell how long they took', async () => {
    const { requests } = await figures();
    for (let count = 0; count < 5; count++) await owner.api.get('/users/me');
    await eventually(async () => {
      const after = await figures();
      expect(after.requests).toBeGreaterThanOrEqual(Number(requests) + 6);
      expect(after.requestMs?.p50).toBeGreaterThan(0);
      expect(after.requestMs?.p99).toBeGreaterThanOrEqual(Number(after.requestMs?.p50));
    });
  });

  it('leave polls that waited for an event out of the times', async () => {
    const meter = annals.app.get(ProcessMeter);
    const polls = annals.app.get(WaitingPolls);
    const queue = await EventQueue.register(owner.api);
    const poll = queue.poll();
    await eventually(() => expect(polls.size).toBe(1));
    // Forgets the other requests.
    meter.turn();
    meter.turn();
    const { requests, requestMs } = meter.figures();
    expect(requestMs).toBeNull();
    polls.release(queue.id);
    await poll;
    await eventually(() => expect(meter.figures()).toMatchObject({ requests: Number(requests) + 1, requestMs: null }));
  });

  it('count event queues', async () => {
    await eventually(async () => expect((await figures()).eventQueues).toBeGreaterThanOrEqual(0));
    const { eventQueues } = await figures();
    // The number is some seconds old, so a queue of before may be counted only now.
    for (let queue = 0; queue < 3; queue++) await EventQueue.register(owner.api);
    await eventually(async () => expect((await figures()).eventQueues).toBeGreaterThanOrEqual(Number(eventQueues) + 3));
  });

  it('tell memory and the delay of the event loop', async () => {
    await eventually(async () =>
      expect(await figures()).toMatchObject({
        residentBytes: expect.any(Number),
        heapBytes: expect.any(Number),
        eventLoopDelayMs: { p50: expect.any(Number), p99: expect.any(Number) },
      }),
    );
  });
});
