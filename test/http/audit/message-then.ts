import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { messageIdAt, revisionOf } from '../../../src/events/messages/messages.events.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { START } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import { EVENT_STORE, type EventStore } from '../../../src/platform/log/event-store.js';
import { Scene } from '../../support/client-state/scene.js';
import { type Act, Storm } from '../../support/client-state/storm.js';
import { dice, oneOf } from '../../support/dice.js';
import { channelActs, subscriptionActs } from '../channels/channels.acts.js';
import { messageActs, sendActs } from '../messages/messages.acts.js';
import { userActs } from '../users/users.acts.js';
import { MessageFold } from './message-fold.js';

/** Changes of groups, and of who sees a channel by them. */
function groupActs(scene: Scene): readonly Act[] {
  const { owner } = scene;
  const groups: number[] = [];
  return [
    {
      name: 'a group is made',
      run: async (roll) => {
        const members = [scene.anybody(roll).id];
        const subgroups = groups.length > 0 ? [oneOf(groups, roll)] : [];
        const group = { name: `group ${scene.next()}`, description: '', members, subgroups };
        const { body } = await owner.api.post('/user_groups/create', group);
        if (body.group_id) groups.push(body.group_id);
      },
    },
    {
      name: 'members of a group change',
      run: (roll) => {
        if (groups.length === 0) return Promise.resolve();
        const change = { [oneOf(['add', 'delete'], roll)]: [scene.anybody(roll).id] };
        return owner.api.post(`/user_groups/${oneOf(groups, roll)}/members`, change);
      },
    },
    {
      name: 'a channel is private, and seen by a group',
      weight: 2,
      run: (roll) => {
        const seen = oneOf([...groups, 2, 3, 4, 5, 6], roll);
        const path = `/streams/${scene.channelId(roll)}`;
        return owner.api.patch(path, { is_private: true, can_subscribe_group: { new: seen } });
      },
    },
    {
      name: 'a message comes to a channel without history whose subscriber is newer than the message',
      weight: 2,
      run: async (roll) => {
        const channel = { name: `hidden ${scene.next()}`, invite_only: true, history_public_to_subscribers: false };
        const { id: hidden } = (await owner.api.post('/channels/create', { ...channel, subscribers: [owner.id] })).body;
        const message = { type: 'channel', to: 'general', topic: 't', content: 'comes later' };
        const { id } = (await owner.api.post('/messages', message)).body;
        const principals = [scene.anybody(roll).id];
        await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: channel.name }], principals });
        if (id) await owner.api.patch(`/messages/${id}`, { stream_id: hidden });
      },
    },
    {
      name: 'the waiting period changes',
      run: (roll) => owner.api.patch('/realm', { waiting_period_threshold: roll(2) }),
    },
  ];
}

/** The message that an event changes. */
const changedIn = ({ messageId, anchorId }: { readonly messageId?: number; readonly anchorId?: number }) =>
  messageId ?? anchorId ?? [];

interface Size {
  readonly seeds: readonly number[];
  readonly acts: number;
  readonly questions: number;
}

/** Compares answers about random messages at random times with a fold of the whole log, one history for each seed. */
export function messagesThen({ seeds, acts, questions }: Size): void {
  describe.each(seeds)('messages of a random history at random times (%i)', (seed) => {
    let scene: Scene;
    let events: readonly Recorded[];

    beforeAll(async () => {
      scene = await Scene.start({ ANNALS_ACCESS_DAYS: '30' });
      const all = [userActs, subscriptionActs, channelActs, sendActs, messageActs, messageActs, messageActs, groupActs];
      await new Storm(
        seed,
        all.flatMap((some) => some(scene)),
      ).blow(acts, 4);
      const { app } = scene.annals;
      const stored = (await app.get<EventStore>(EVENT_STORE).readAll({ after: START, limit: 100_000 })).events;
      events = await new EventCodec(app.get<ContentKeys>(CONTENT_KEYS), eventRegistry).decode(stored);
    });
    afterAll(() => scene.annals.stop());

    it('are what the whole log gives, with their readers', async () => {
      const roll = dice(seed);
      const sends = events.filter(({ type }) => type === 'MessageSent');
      const changed = events.flatMap(({ data }) => changedIn(data as { messageId?: number; anchorId?: number }));
      const kinds = new Set<string>();
      for (let n = 0; n < questions; n++) {
        const message_id = oneOf([messageIdAt(roll(sends.length)), oneOf(changed, roll)], roll);
        const position = sends[revisionOf(message_id)]?.position ?? START;
        const later = events.filter((event) => event.position >= position);
        const at = oneOf(roll(9) === 0 ? events : later, roll).metadata.at - roll(2);
        const words = roll(2) === 0;
        const last = events.findLastIndex(({ metadata }) => metadata.at <= at);
        const expected = new MessageFold(events.slice(0, last + 1), at).answer(message_id, words);
        const asked = { message_id, as_of: new Date(at).toISOString(), words };
        const { status, body } = await scene.owner.api.get('/audit/message', asked);
        const { result: _result, msg: _msg, ...answer } = body;
        if (expected === null) expect({ asked, status }).toEqual({ asked, status: 404 });
        else expect({ asked, ...answer }).toEqual({ asked, ...expected });
        for (const [name, value] of Object.entries(expected ?? { missing: true })) if (value) kinds.add(name);
      }
      for (const kind of ['moved', 'topic']) expect([...kinds]).toContain(kind);
    });
  });
}
