import { describe, expect, it } from '@jest/globals';
import type { Api } from '../support/requests/api.js';
import { contentsIn, expectSentOnce, killedDuring, keyedMessage as message } from '../support/servers/killed-at.js';

/** `killed-at-a-point.slow.spec.ts` has the other points, and the other commands. */
describe('a send whose server is killed', () => {
  it.each([
    ['after its event is appended', 'appended:messages'],
    ['before the message document and its checkpoint are committed', 'uncommitted:messages'],
  ])('%s is stored exactly once after a repeat', (_, point) => expectSentOnce(point));

  it('without a key was stored once or not at all, and reaches its queue once', async () => {
    let queue = { queue_id: '', last_event_id: 0 };
    const work = async (api: Api) => {
      const { queue_id, last_event_id } = await api.post('register', { event_types: ['message'] });
      queue = { queue_id: queue_id as string, last_event_id: last_event_id as number };
      return api.post('messages', message);
    };
    await killedDuring('appended:messages', work, async (api) => {
      expect(await contentsIn(api)).toEqual([{ id: 1, content: message.content }]);
      const { events } = await api.get('events', { ...queue, dont_block: true });
      expect((events as { message: { id: number } }[]).map((event) => event.message.id)).toEqual([1]);
    });
  });
});
