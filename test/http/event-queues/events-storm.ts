import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { expectFreshState } from '../../support/client-state/fresh-state.js';
import { Scene } from '../../support/client-state/scene.js';
import { type Act, Storm } from '../../support/client-state/storm.js';
import { expectSameCalls } from '../../support/client-state/told-calls.js';
import { type ClientEvent, EventQueue } from '../../support/requests/event-queue.js';
import type { Member } from '../../support/servers/annals.js';
import { avatarActs } from '../avatars/avatars.acts.js';
import { subscriptionActs } from '../channels/channels.acts.js';
import { customEmojiActs } from '../custom-emoji/custom-emoji.acts.js';
import { draftActs } from '../drafts/drafts.acts.js';
import { invitationActs } from '../invitations/invitations.acts.js';
import { messageActs, sendActs } from '../messages/messages.acts.js';
import { navigationViewActs } from '../navigation-views/navigation-views.acts.js';
import { organizationActs } from '../organization/organization.acts.js';
import { organizationPictureActs } from '../organization-pictures/organization-pictures.acts.js';
import { personalActs } from '../personal/personal.acts.js';
import { readStateActs } from '../read-state/read-state.acts.js';
import { reminderActs } from '../reminders/reminders.acts.js';
import { savedSnippetActs } from '../saved-snippets/saved-snippets.acts.js';
import { scheduledMessageActs } from '../scheduled-messages/scheduled-messages.acts.js';
import { uploadActs } from '../uploads/uploads.acts.js';
import { userStatusActs } from '../user-status/user-status.acts.js';
import { userActs } from '../users/users.acts.js';

/** Every change that a storm can make in the scene. */
export const actsOn = (scene: Scene): readonly Act[] => [
  ...userActs(scene),
  ...avatarActs(scene),
  ...organizationActs(scene),
  ...organizationPictureActs(scene),
  ...customEmojiActs(scene),
  ...subscriptionActs(scene),
  ...sendActs(scene),
  ...messageActs(scene),
  ...uploadActs(scene),
  ...readStateActs(scene),
  ...personalActs(scene),
  ...draftActs(scene),
  ...savedSnippetActs(scene),
  ...scheduledMessageActs(scene),
  ...reminderActs(scene),
  ...navigationViewActs(scene),
  ...userStatusActs(scene),
  ...invitationActs(scene),
];

const STATE = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'update_message_flags',
  'starred_messages',
  'realm_user',
  'realm_bot',
  'stream',
  'subscription',
  'default_streams',
  'realm',
  'custom_profile_fields',
  'realm_emoji',
  'alert_words',
  'muted_users',
  'user_topic',
  'attachment',
  'drafts',
  'saved_snippets',
  'scheduled_messages',
  'reminders',
  'navigation_view',
  // Views are fetched under this name.
  'navigation_views',
  'user_status',
  'push_device',
  'invites_changed',
];

/** Types of client events that tell the state at the time of reading. Only their `remove` does not depend on that time. */
const TOLD_AS_THEY_ARE: readonly string[] = [
  'attachment',
  'drafts',
  'saved_snippets',
  'scheduled_messages',
  'reminders',
  'user_status',
  'realm_emoji',
];

/**
 * Answers the parts of client events that do not depend on the time at which a queue is read. Messages, names and channels
 * are told as they are at that time, and a deleted message only by its deletion.
 */
function lasting(events: readonly ClientEvent[]): object[] {
  const deleted = new Set(events.flatMap(({ type, message_id }) => (type === 'delete_message' ? [message_id] : [])));
  return events.flatMap((event) => {
    if (event.type === 'delete_message') return [event];
    if (TOLD_AS_THEY_ARE.includes(event.type)) return event.op === 'remove' ? [event] : [];
    if (deleted.has(event.message?.id ?? event.message_id)) return [];
    const { message, streams, subscriptions, ...rest } = event;
    const { id, timestamp } = message ?? {};
    return [{ ...rest, message: { id, timestamp }, streams: idsOf(streams), subscriptions: idsOf(subscriptions) }];
  });
}

/** Every event of the log, whoever appended it, has 128 random bits that no other event has. */
function expectOwnNonces(events: readonly Recorded[]): void {
  expect(events.filter(({ metadata }) => !/^[\w-]{22}$/.test(metadata.nonce ?? ''))).toEqual([]);
  expect(new Set(events.map(({ metadata }) => metadata.nonce)).size).toBe(events.length);
}

const idsOf = (channels: readonly { stream_id: number }[] | undefined) => channels?.map(({ stream_id }) => stream_id);

/** Specs of random changes of everything, one for each seed; with `reconnects`, also over restarts and rebuilds. */
export function stormOfChanges({
  seeds,
  reconnects = false,
}: {
  readonly seeds: readonly number[];
  readonly reconnects?: boolean;
}): void {
  describe('queues in a storm of changes', () => {
    let scene: Scene;

    beforeAll(async () => {
      scene = await Scene.start();
    });
    afterAll(() => scene.annals.stop());

    /** Reads the attachments after the queue is registered, so that no change of them is missed. */
    const register = async (reader: Member): Promise<EventQueue> => {
      const queue = await EventQueue.register(reader.api, { event_types: STATE, include_subscribers: true });
      const { attachments } = (await reader.api.get('/attachments')).body;
      Object.assign(queue.state, { attachments });
      return queue;
    };

    it.each(seeds)('bring clients to the fresh state (storm %i)', async (seed) => {
      const { readers } = scene;
      const storm = new Storm(seed, actsOn(scene));
      let blowing = true;
      const registered: { reader: Member; queue: EventQueue }[] = [];
      const registering = (async () => {
        while (blowing) {
          for (const reader of readers) registered.push({ reader, queue: await register(reader) });
        }
      })();
      await storm.blow(100, 4);
      blowing = false;
      await registering;

      expect(registered.length).toBeGreaterThan(6);
      for (const reader of readers) {
        const queues = registered.filter((one) => one.reader === reader).map(({ queue }) => queue);
        await expectFreshState(reader.id, queues, register(reader));
        const { body: read } = await reader.api.get('/messages', { anchor: 'newest', num_before: 500, num_after: 0 });
        for (const { events } of queues) expectSameCalls(events, read.messages);
      }
      expectOwnNonces(await scene.annals.events());
    });

    const ifReconnects = reconnects ? it : it.skip;

    ifReconnects(
      'give a client that reconnects, over restarts and rebuilds, the same as a connected client',
      async () => {
        const { annals, readers } = scene;
        const [reader] = readers;
        const types = { event_types: STATE, include_subscribers: true };
        const staying = await EventQueue.register(reader.api, types);
        const stepping = await EventQueue.register(reader.api, types);
        const away = await EventQueue.register(reader.api, types);
        const impatient = await EventQueue.register(reader.api, types);
        const settle = async (queue: EventQueue) => {
          queue.api = reader.api;
          return queue.drain();
        };
        let done = false;
        const listening = async (): Promise<void> => {
          staying.api = reader.api;
          while (!done) await staying.poll();
        };

        let listener = listening();
        const storm = new Storm(7, actsOn(scene));
        // What the reader may see depends on the storms before: some need more steps until enough of it has changed.
        const enough = () => lasting(stepping.events).length > 10;
        for (let step = 1; step <= 40 || (!enough() && step <= 400); step++) {
          await storm.step();
          await settle(stepping);
          // A client that acknowledges nothing gets all events again, in the same order.
          impatient.lastEventId = -1;
          impatient.events.length = 0;
          await settle(impatient);
          if (step % 25 === 0) await annals.app.get<ReadSide>(READ_SIDE).rebuild(['client-events'], () => {});
          if (step % 15 !== 0) continue;
          done = true;
          await annals.restart();
          await listener;
          done = false;
          listener = listening();
        }
        done = true;
        await listener;

        await settle(away);
        const expected = lasting(away.events);
        expect(expected.length).toBeGreaterThan(10);
        await settle(staying);
        for (const { events } of [staying, stepping, impatient]) expect(lasting(events)).toEqual(expected);
      },
    );
  });
}
