import { signal } from '@preact/signals';
import { get, patch, post, remove, request } from '../../platform/api.js';
import { useLoaded } from '../../platform/loaded.js';
import { channels } from '../../platform/store.js';

export type Channel = NonNullable<Awaited<ReturnType<typeof get<'/streams'>>>['streams']>[number];

/** All that one may know of, those that are archived too, in the order of their names. */
export const all = signal<readonly Channel[]>([]);

/** @throws Refused */
async function loadChannels(): Promise<void> {
  const { streams = [] } = await get('/streams', { include_all: 'true', exclude_archived: 'false' });
  all.value = [...streams].sort((one, other) => one.name.localeCompare(other.name));
}

/** Has all channels while something is shown. */
export const useChannels = () => useLoaded(loadChannels, ['stream', 'subscription']);

export const isMine = ({ stream_id }: Channel): boolean => channels.value.has(stream_id);

/** @throws Refused */
export async function join({ name }: Channel, userIds: readonly number[] = []): Promise<void> {
  const others = userIds.length === 0 ? {} : { principals: userIds };
  await post('/users/me/subscriptions', { subscriptions: [{ name }], ...others });
}

/** @param userIds none: oneself @throws Refused */
export async function leave({ name }: Channel, userIds: readonly number[] = []): Promise<void> {
  const others = userIds.length === 0 ? {} : { principals: userIds };
  await request('DELETE', '/users/me/subscriptions', { body: { subscriptions: [name], ...others } });
}

/** @throws Refused */
export async function create(channel: NewChannel): Promise<void> {
  await post('/channels/create', channel);
  await loadChannels();
}

interface NewChannel {
  readonly name: string;
  readonly description: string;
  readonly invite_only: boolean;
  readonly subscribers: readonly number[];
}

export type ChannelRight = Extract<keyof Channel, `can_${string}_group`>;

interface Changes extends Partial<Readonly<Record<ChannelRight, unknown>>> {
  readonly new_name?: string;
  readonly description?: string;
  readonly is_private?: boolean;
  readonly is_archived?: false;
}

/** @throws Refused */
export async function change({ stream_id: id }: Channel, changes: Changes): Promise<void> {
  await patch(`/streams/${id}`, changes);
  await loadChannels();
}

/** @throws Refused */
export async function archive({ stream_id: id }: Channel): Promise<void> {
  await remove(`/streams/${id}`);
  await loadChannels();
}

/** What is only for oneself. @throws Refused */
export async function setOwn(channel: Channel, property: 'is_muted' | 'pin_to_top', value: boolean): Promise<void> {
  await post('/users/me/subscriptions/properties', {
    subscription_data: [{ stream_id: channel.stream_id, property, value }],
  });
}

/** Who is in it. @throws Refused */
export async function membersOf({ stream_id: id }: Channel): Promise<readonly number[]> {
  return (await request<{ readonly subscribers: readonly number[] }>('GET', `/streams/${id}/members`)).subscribers;
}
