import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readStateStream } from '../../../src/events/read-state/read-state.events.js';
import { expectFreshState } from '../../support/client-state/fresh-state.js';
import { HeldLog } from '../../support/engines/held-log.js';
import { ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Answer } from '../../support/requests/http.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a flag that a deletion or a move overtakes', () => {
  const log = new HeldLog();
  let annals: Annals;
  let owner: Member;
  let reader: Member;
  let queue: EventQueue;
  let ids: number[];

  beforeEach(async () => {
    annals = await Annals.on(await ownEngines(), {}, { open: log.open });
    owner = await annals.owner();
    reader = await annals.user('reader');
    for (const [name, members] of [
      ['open', [owner.id, reader.id]],
      ['vault', [owner.id]],
    ] as const) {
      const how = { invite_only: name === 'vault', principals: members };
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name }], ...how });
    }
    ids = [];
    for (const content of ['one', 'two'])
      ids.push((await owner.api.post('/messages', { type: 'channel', to: 'open', topic: content, content })).body.id);
    await reader.api.post('/messages/flags', { messages: ids, op: 'add', flag: 'read' });
    queue = await EventQueue.register(reader.api);
  });
  afterEach(async () => {
    log.release();
    await annals.stop();
  });

  /** Lets `first` be stored after the flag was decided on, and before it is stored. */
  async function overtaken(change: () => Promise<Answer>, first: () => Promise<Answer>): Promise<Answer> {
    log.holdAppends(readStateStream(reader.id));
    const changing = change();
    await eventually(() => expect(log.held).toBe(1));
    expect((await first()).body.msg).toBe('');
    log.release();
    return changing;
  }

  const change = (op: string, flag: string) => () => reader.api.post('/messages/flags', { messages: ids, op, flag });
  const remove = () => owner.api.delete(`/messages/${ids[0]}`);
  const hide = async () => {
    const { stream_id } = (await owner.api.get('/get_stream_id', { stream: 'vault' })).body;
    return owner.api.patch(`/messages/${ids[0]}`, { stream_id, send_notification_to_new_thread: false });
  };
  const expectNoGhost = () => expectFreshState(reader.id, [queue], EventQueue.register(reader.api));

  it.each([
    ['a star', 'add', 'starred', 'deletion', remove],
    ['a star', 'add', 'starred', 'move out of reach', hide],
    ['a mark as unread', 'remove', 'read', 'deletion', remove],
    ['a mark as unread', 'remove', 'read', 'move out of reach', hide],
  ])('is refused and taken back: %s (%s %s) by a %s', async (_flag, op, flag, _change, first) => {
    const answer = await overtaken(change(op, flag), first);
    expect(answer.body).toMatchObject({ result: 'error', msg: 'Invalid message(s)' });
    const { messages } = (await reader.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })).body;
    expect(messages).toMatchObject([{ id: ids[1], flags: ['read'] }]);
    await expectNoGhost();
  });

  it('is left out of the messages of a narrow', async () => {
    const range = { anchor: 'oldest', num_before: 0, num_after: 9, narrow: [['channel', 'open']] };
    const star = () => reader.api.post('/messages/flags/narrow', { ...range, op: 'add', flag: 'starred' });
    const { body } = await overtaken(star, remove);
    expect(body).toMatchObject({ result: 'success', updated_count: 1 });
    const { state } = await EventQueue.register(reader.api, { fetch_event_types: ['starred_messages'] });
    expect(state.starred_messages).toEqual([ids[1]]);
    await expectNoGhost();
  });
});
