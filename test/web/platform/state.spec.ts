import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClientEvent, Registered, Settings } from '../../../web/platform/client-events.js';
import { direct, keyOf, topic } from '../../../web/platform/state/conversation.js';
import {
  type Channels,
  type Directs,
  evolveChannels,
  evolveDirects,
  evolvePeople,
  initialChannels,
  initialDirects,
  initialPeople,
  type People,
} from '../../../web/platform/state/directory.js';
import {
  evolveOrganization,
  initialOrganization,
  type Organization,
} from '../../../web/platform/state/organization.js';
import { evolveSettings } from '../../../web/platform/state/settings.js';
import { evolveStatuses, initialStatuses, type Statuses } from '../../../web/platform/state/statuses.js';
import {
  countOf,
  countOfChannel,
  evolveUnread,
  initialUnread,
  type Unread,
} from '../../../web/platform/state/unread.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const TYPES = [
  'message',
  'update_message',
  'delete_message',
  'update_message_flags',
  'subscription',
  'stream',
  'realm',
  'realm_user',
  'user_settings',
  'user_status',
];
const UNDERSTOOD = { bulk_message_deletion: true, empty_topic_name: true, user_settings_object: true };
const FETCHED = [...TYPES, 'recent_private_conversations', 'starred_messages'];

interface State {
  readonly people: People;
  readonly channels: Channels;
  readonly directs: Directs;
  readonly unread: Unread;
  readonly settings: Settings;
  readonly organization: Organization;
  readonly statuses: Statuses;
}

const initial = (state: Registered): State => ({
  people: initialPeople(state),
  channels: initialChannels(state),
  directs: initialDirects(state),
  unread: initialUnread(state),
  settings: state.user_settings,
  organization: initialOrganization(state),
  statuses: initialStatuses(state),
});

const evolve = (
  { people, channels, directs, unread, settings, organization, statuses }: State,
  event: ClientEvent,
  myId: number,
): State => ({
  people: evolvePeople(people, event),
  channels: evolveChannels(channels, event),
  directs: evolveDirects(directs, event, myId),
  unread: evolveUnread(unread, event, myId),
  settings: evolveSettings(settings, event),
  organization: evolveOrganization(organization, event),
  statuses: evolveStatuses(statuses, event),
});

/** What is shown of a state, in an order of its own. */
const shown = ({ people, channels, directs, unread, settings, organization, statuses }: State) => ({
  settings,
  organization,
  // Of whom all was taken away, the events leave an empty one.
  statuses: [...statuses]
    .map(([id, { status_text: text = '', emoji_name: name = '' }]) => `${id} ${text} ${name}`)
    .filter((status) => !/^\d+ +$/.test(status))
    .sort(),
  people: [...people.values()].map(({ user_id, full_name }) => `${user_id} ${full_name}`).sort(),
  channels: [...channels.values()].map(({ stream_id, name, is_muted }) => `${stream_id} ${name} ${is_muted}`).sort(),
  directs: [...directs].map(([key, { newestId }]) => `${key}: ${newestId}`).sort(),
  unread: [...unread].map(([key, { ids }]) => `${key}: ${[...ids].sort((a, b) => a - b)}`).sort(),
});

describe('what the page knows', () => {
  let annals: Annals;
  let ann: Member;
  let bob: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    ann = await annals.user('ann');
    bob = await annals.user('bob');
  });
  afterAll(() => annals.stop());

  const register = async (): Promise<Registered> =>
    (
      await ann.api.post('/register', {
        event_types: TYPES,
        fetch_event_types: FETCHED,
        client_capabilities: UNDERSTOOD,
      })
    ).body;

  const say = async (to: string | number[], content: string, name = 'tea'): Promise<number> => {
    const type = typeof to === 'string' ? 'channel' : 'direct';
    return (await bob.api.post('/messages', { type, to, topic: name, content })).body.id;
  };

  it('is by its events what another registration would tell', async () => {
    const before = await register();
    const owner = await annals.owner();
    const first = await say('general', 'one');
    const second = await say('general', 'two');
    const third = await say('general', 'three', 'Coffee');
    await say([ann.id], 'psst');
    await say([ann.id, owner.id], 'you two');
    const read = await say([ann.id], 'read at once');
    await bob.api.patch(`/messages/${second}`, { topic: 'milk' });
    await bob.api.delete(`/messages/${third}`);
    await owner.api.delete(`/messages/${third}`);
    await ann.api.post('/messages/flags', { messages: [first, read], op: 'add', flag: 'read' });
    await ann.api.post('/messages/flags', { messages: [first], op: 'remove', flag: 'read' });
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'lab' }], principals: [ann.id, bob.id] });
    await say('lab', 'in a new channel');
    await owner.api.patch('/streams/1', { new_name: 'everyone' });
    await annals.user('cleo');
    await ann.api.patch('/settings', { full_name: 'Ann B.', twenty_four_hour_time: true, color_scheme: 2 });
    await bob.api.post('/users/me/status', { status_text: 'on the way', emoji_name: 'bus' });
    await bob.api.post('/users/me/status', { status_text: 'nearly there' });
    await ann.api.post('/users/me/status', { status_text: 'at home' });
    await ann.api.post('/users/me/status', { status_text: '' });
    await owner.api.patch('/realm', { name: 'Far', message_content_edit_limit_seconds: 'unlimited' });
    await owner.api.patch('/realm', { avatar_changes_disabled: true, can_create_groups: { new: 5 } });

    let state = initial(before);
    const after = await register();
    const query = { queue_id: before.queue_id, last_event_id: before.last_event_id, dont_block: true };
    const { body } = await ann.api.get('/events', query);
    for (const event of body.events) state = evolve(state, event, ann.id);
    expect(shown(state)).toEqual(shown(initial(after)));
    expect(shown(state).statuses).toEqual([`${bob.id} nearly there bus`]);
    expect(countOf(state.unread, topic(1, 'TEA'))).toBe(1);
    expect(countOf(state.unread, direct([ann.id, bob.id], ann.id))).toBe(1);
    expect(countOfChannel(state.unread, 1)).toBeGreaterThanOrEqual(2);

    for (const event of body.events.slice(-3)) state = evolve(state, event, ann.id);
    expect(shown(state)).toEqual(shown(initial(after)));
  });

  it('has no unread messages in a channel that one has left, and none after all are read', async () => {
    const before = await register();
    const id = await say('lab', 'unread');
    await ann.api.delete('/users/me/subscriptions', { subscriptions: ['lab'] });
    const { body: left } = await ann.api.get('/events', {
      queue_id: before.queue_id,
      last_event_id: -1,
      dont_block: true,
    });
    let state = initial(before);
    for (const event of left.events) state = evolve(state, event, ann.id);
    expect([...state.unread.values()].filter(({ ids }) => ids.has(id))).toEqual([]);
    expect([...state.channels.values()].map(({ name }) => name)).toEqual(['everyone']);
    const all: ClientEvent = { id: 0, type: 'update_message_flags', op: 'add', flag: 'read', messages: [], all: true };
    expect(evolve(state, all, ann.id).unread.size).toBe(0);
  });

  it('takes a conversation for the same in any order of its people, and in any case of its topic', () => {
    expect(keyOf(direct([3, 1, 2], 1))).toBe(keyOf(direct([2, 3], 1)));
    expect(keyOf(direct([1], 1))).toBe(keyOf(direct([], 1)));
    expect(keyOf(topic(7, 'Tea'))).toBe(keyOf(topic(7, 'tea')));
  });
});
