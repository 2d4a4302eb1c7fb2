import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { FIRST_RANK } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import type { Change, OwnDocuments, Projection } from '../../../src/platform/read-models/projection.js';
import { allClientEventKinds } from '../../support/client-state/client-event-kinds.js';
import { withOwnEngines } from '../../support/engines/own-engines.js';
import { projected } from '../../support/projections/projected.js';

const logs = new URL('../../history/', import.meta.url);

/** The ids that a projection's rules give to the client events of each domain event. */
async function idsByEvent(events: readonly Recorded[]): Promise<Map<string, number[]>> {
  const ids = new Map<string, number[]>();
  const inserted = (changes: readonly Change[]): number[] =>
    changes.flatMap(({ collection, operation }) =>
      collection === 'events' && 'replaceOne' in operation ? [operation.replaceOne.replacement._id as number] : [],
    );
  const on: Projection['on'] = Object.fromEntries(
    Object.entries(clientEvents.on).map(([type, rule]) => [
      type,
      async (event: Recorded, documents: OwnDocuments) => {
        const changes = await rule(event, documents);
        ids.set(`${type} at ${event.position}`, inserted(changes));
        return changes;
      },
    ]),
  );
  await projected({ ...clientEvents, on }, events);
  return ids;
}

describe('the kinds of client events', () => {
  it('keep the ranks of the ids that clients hold', async () => {
    const ranks = (await allClientEventKinds()).map(({ kind, rank }) => `${String(rank).padStart(4)} ${kind}`);
    expect([...new Set(ranks)].sort()).toEqual(RANKS);
  });

  it('leave the first ranks to ephemeral events', async () => {
    for (const { rank } of await allClientEventKinds()) expect(rank).toBeGreaterThanOrEqual(FIRST_RANK);
  });

  it('have one rank each', async () => {
    const kinds = await allClientEventKinds();
    const ranks = new Map(kinds.map(({ kind, rank }) => [kind, rank]));
    expect(kinds.filter(({ kind, rank }) => ranks.get(kind) !== rank)).toEqual([]);
  });

  it.each(readdirSync(logs).filter((name) => !name.includes('.ts')))(
    'have distinct ids for each event in the log of version %s',
    async (version) => {
      const read = (file: string): string => readFileSync(new URL(`${version}/${file}`, logs), 'utf8');
      const events = await withOwnEngines(async ({ settings }) => {
        const { contentKeys, close } = await openEngines(settings);
        try {
          const keys: Record<string, string> = JSON.parse(read('keys.json'));
          for (const [id, key] of Object.entries(keys)) await contentKeys.putIfAbsent(id, Buffer.from(key, 'base64'));
          const lines = read('log.jsonl').trimEnd().split('\n');
          return await new EventCodec(contentKeys, eventRegistry).decode(
            lines.map((line): StoredEvent => JSON.parse(line)),
          );
        } finally {
          await close();
        }
      });
      const ids = await idsByEvent(events.filter(({ type }) => type in clientEvents.on));
      const colliding = [...ids].filter(([, own]) => new Set(own).size < own.length);
      expect(ids.size).toBeGreaterThan(10);
      expect(colliding).toEqual([]);
    },
  );
});

/** The ranks of the present kinds. They are the same in every version that has the kind. */
const RANKS: readonly string[] = [
  ' 512 stream/create',
  ' 520 attachment/update',
  ' 768 stream/gained',
  ' 896 subscription/gone',
  '1008 muted_topics',
  '1020 user_settings/update',
  '1021 update_display_settings',
  '1021 update_global_notifications',
  '1024 alert_words',
  '1024 attachment/add',
  '1024 attachment/remove',
  '1024 channel_folder/add',
  '1024 channel_folder/reorder',
  '1024 channel_folder/update',
  '1024 custom_profile_fields',
  '1024 default_streams',
  '1024 delete_message',
  '1024 drafts/add',
  '1024 drafts/remove',
  '1024 drafts/update',
  '1024 invites_changed',
  '1024 message',
  '1024 muted_users',
  '1024 navigation_view/add',
  '1024 navigation_view/remove',
  '1024 navigation_view/update',
  '1024 push_device',
  '1024 reaction/add',
  '1024 reaction/remove',
  '1024 realm/update',
  '1024 realm/update_dict',
  '1024 realm_emoji/update',
  '1024 realm_linkifiers',
  '1024 realm_playgrounds',
  '1024 realm_user/add',
  '1024 realm_user/update',
  '1024 reminders/add',
  '1024 reminders/remove',
  '1024 saved_snippets/add',
  '1024 saved_snippets/remove',
  '1024 saved_snippets/update',
  '1024 scheduled_messages/add',
  '1024 scheduled_messages/remove',
  '1024 scheduled_messages/update',
  '1024 subscription/add',
  '1024 subscription/remove',
  '1024 subscription/update',
  '1024 update_message',
  '1024 update_message/moved',
  '1024 update_message_flags/add',
  '1024 update_message_flags/remove',
  '1024 user_group/add',
  '1024 user_group/remove',
  '1024 user_status',
  '1024 user_topic',
  '1032 realm_user/avatar',
  '1040 update_message_flags/moved',
  '1048 realm_bot/update',
  '1050 realm_bot/services',
  '1052 realm_bot/delete',
  '1056 realm_bot/add',
  '1152 user_group/update',
  '1536 user_group/add_subgroups',
  '1536 user_group/remove_subgroups',
  '1792 user_group/remove_members',
  '2048 stream/update',
  '2048 subscription/peer_add',
  '2048 subscription/peer_remove',
  '2304 subscription/peers',
  '2560 subscription/back',
  '3071 subscription/gained',
  '3072 stream/delete',
  '3136 user_group/add_members',
  '3584 delete_message/moved',
  '3584 stream/lost',
  '3712 update_message_flags/lost',
];
