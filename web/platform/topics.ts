import { signal } from '@preact/signals';
import { request } from './api.js';
import type { ClientEvent } from './client-events.js';
import { follow } from './store.js';

interface Topic {
  readonly name: string;
  readonly max_id: number;
}

/** Topics of the channels that were opened, the newest first. */
export const topicsOf = signal<ReadonlyMap<number, readonly Topic[]>>(new Map());

export function loadTopics(channelId: number): void {
  void request<{ topics: readonly Topic[] }>('GET', `/users/me/${channelId}/topics`, {
    query: { allow_empty_topic_name: true },
  })
    .then(({ topics }) => put(channelId, topics))
    // The list of before stays; the page says by itself that there is no connection.
    .catch(() => {});
}

/** @returns ends that */
export function followTopics(): () => void {
  const reloadAll = () => {
    for (const id of topicsOf.value.keys()) loadTopics(id);
  };
  return follow({
    started: reloadAll,
    happened(event: ClientEvent) {
      if (event.type === 'message') onMessage(event.message.stream_id, event.message.subject, event.message.id);
      if (event.type === 'delete_message') reloadAll();
      if (event.type === 'update_message' && event.subject !== undefined) reloadAll();
    },
  });
}

function onMessage(channelId: number | undefined, name: string, max_id: number): void {
  const known = channelId === undefined ? undefined : topicsOf.value.get(channelId);
  if (channelId === undefined || !known) return;
  const others = known.filter((topic) => topic.name.toLowerCase() !== name.toLowerCase());
  put(channelId, [{ name, max_id }, ...others]);
}

const put = (channelId: number, topics: readonly Topic[]): void => {
  topicsOf.value = new Map(topicsOf.value).set(channelId, topics);
};
