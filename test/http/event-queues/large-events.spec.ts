import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const KIB = 1024;

describe('an answer to a poll', () => {
  let annals: Annals;
  let anna: Member;
  let bert: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ANSWER_KIB: '64' });
    anna = await annals.user('anna');
    bert = await annals.user('bert');
  });

  afterAll(() => annals.stop());

  const send = async (content: string): Promise<number> =>
    (await anna.api.post('/messages', { type: 'direct', to: [bert.id], content })).body.id;

  const sizeOf = (events: readonly ClientEvent[]): number => Buffer.byteLength(JSON.stringify(events));

  it('ends at 64 KiB, and the next polls bring the rest in order', async () => {
    const queue = await EventQueue.register(bert.api, {
      event_types: ['message', 'reaction', 'typing'],
      apply_markdown: true,
    });
    const expected: string[] = [];
    for (let n = 0; n < 20; n++) {
      // One event is larger than an answer.
      const id = await send(n === 7 ? ':8ball: '.repeat(1_000) : `${n} `.padEnd(n % 4 === 0 ? 10 : 9_000, '漢'));
      expected.push(`message ${id}`);
      if (n % 3 > 0) continue;
      await anna.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
      expected.push(`reaction ${id}`);
    }
    // Ephemeral events follow the events of the log: their ids are higher.
    await anna.api.post('/typing', { op: 'start', to: [bert.id] });
    expected.push('typing undefined');
    const answers: ClientEvent[][] = [];
    while (queue.events.length < expected.length) answers.push(await queue.poll());
    expect(queue.events.map(({ type, message, message_id }) => `${type} ${message?.id ?? message_id}`)).toEqual(
      expected,
    );
    for (const events of answers) if (events.length > 1) expect(sizeOf(events)).toBeLessThan(65 * KIB);
    expect(answers.filter((events) => sizeOf(events) > 65 * KIB)).toHaveLength(1);
    expect(answers.length).toBeGreaterThan(5);
  });

  it('that waits ends at 64 KiB, too', async () => {
    const queue = await EventQueue.register(bert.api, { event_types: ['realm_user', 'message'] });
    const ids: number[] = [];
    const sent = Promise.all(Array.from({ length: 6 }, async () => ids.push(await send('漢'.repeat(9_000)))));
    const answers: ClientEvent[][] = [];
    while (queue.events.length < 6) answers.push(await queue.poll());
    await sent;
    expect(queue.events.map(({ message }) => message.id)).toEqual(ids.sort((a, b) => a - b));
    for (const events of answers) expect(sizeOf(events)).toBeLessThan(65 * KIB);
  });
});
