import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contents, EventQueue } from '../../support/requests/event-queue.js';
import { Annals } from '../../support/servers/annals.js';

describe('a poll without events', () => {
  let annals: Annals;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_HEARTBEAT_SECONDS: '1' });
  });
  afterAll(() => annals.stop());

  it('waits until a heartbeat, whose acknowledgement skips no event', async () => {
    const { api, id } = await annals.user('iris');
    const other = await annals.user('other');
    const queue = await EventQueue.register(api, { event_types: ['message'] });
    const { lastEventId } = queue;
    const send = (content: string, to: number) => other.api.post('/messages', { type: 'direct', to: [to], content });
    const others = send('not for this queue', other.id);
    expect(await queue.poll()).toEqual([{ type: 'heartbeat', id: lastEventId }]);
    await others;
    await send('after the heartbeat', id);
    expect(contents(await queue.drain())).toEqual(['after the heartbeat']);
    const afterwards = queue.lastEventId;
    expect(await queue.poll()).toEqual([{ type: 'heartbeat', id: afterwards }]);
  });
});
