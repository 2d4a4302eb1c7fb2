import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaitingPolls } from '../../../src/features/event-queues/services/waiting-polls.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const QUEUES = 1000;
const READERS = 5;

describe('a thousand polls that wait', () => {
  let annals: Annals;
  let owner: Member;
  const queues: EventQueue[] = [];

  beforeAll(async () => {
    // Longer than a test may take, so that no poll ends by a heartbeat.
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '600' });
    owner = await annals.owner();
    const readers = await Promise.all(Array.from({ length: READERS }, (_, n) => annals.user(`reader${n}`)));
    await owner.api.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: readers.map(({ id }) => id),
    });
    for (let n = 0; n < QUEUES / READERS; n++) {
      const params = { event_types: ['message'], fetch_event_types: ['message'], apply_markdown: n % 2 === 0 };
      queues.push(...(await Promise.all(readers.map(({ api }) => EventQueue.register(api, params)))));
    }
  });
  afterAll(() => annals.stop());

  it('get the same text of an event, each with its queue’s id, and others are answered meanwhile', async () => {
    const ended: string[] = [];
    let firstAnswered = (): void => {};
    const first = new Promise<void>((resolve) => {
      firstAnswered = resolve;
    });
    const polls = queues.map(async ({ api, id, lastEventId }) => {
      const { body } = await api.get('/events', { queue_id: id, last_event_id: lastEventId });
      ended.push('poll');
      firstAnswered();
      return body as { readonly queue_id: string; readonly events: readonly { readonly id: number }[] };
    });
    await eventually(() => expect(annals.app.get(WaitingPolls).size).toBe(QUEUES));
    await owner.api.post('/messages', { type: 'channel', to: 'general', topic: 't', content: '*to all*' });
    await first;
    expect((await owner.api.get('/users/me')).status).toBe(200);
    ended.push('other');
    const answers = await Promise.all(polls);
    expect(ended.at(-1)).toBe('poll');
    expect(answers.map(({ queue_id }) => queue_id)).toEqual(queues.map(({ id }) => id));
    const texts = new Set(answers.map(({ events }) => JSON.stringify(events)));
    // One for those that ask for Markdown's source, and one for the others.
    expect([...texts].map((text) => /"content":"(.*?)"/.exec(text)?.[1]).sort()).toEqual([
      '*to all*',
      '<p><em>to all</em></p>',
    ]);
  });
});
