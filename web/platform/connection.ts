import { effect, signal } from '@preact/signals';
import { Refused, request } from './api.js';
import type { ClientEvent, Registered } from './client-events.js';
import { type Connection, followQueue, type QueuePort } from './queue.js';
import { endSession, me } from './session.js';
import { applyAll, startWith } from './store.js';

export const connection = signal<Connection>('connecting');

/** The queue of this page, which a send names; empty: there is none. */
export const queueId = signal('');

/** Longer than a poll waits at the server. */
const POLL_TIMEOUT_MS = 120_000;

const REGISTRATION = {
  event_types: [
    ...['message', 'update_message', 'delete_message', 'reaction', 'update_message_flags'],
    ...['subscription', 'stream', 'realm', 'realm_user', 'realm_emoji', 'user_group', 'typing'],
    ...['scheduled_messages', 'reminders', 'drafts', 'user_settings', 'user_status', 'presence'],
  ],
  fetch_event_types: [
    ...['message', 'update_message_flags', 'recent_private_conversations', 'starred_messages'],
    ...['subscription', 'realm_user', 'realm', 'realm_emoji'],
    ...['scheduled_messages', 'reminders', 'drafts', 'user_settings', 'user_status', 'presence'],
  ],
  apply_markdown: true,
  client_gravatar: false,
  slim_presence: true,
  include_subscribers: 'false',
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    empty_topic_name: true,
    stream_typing_notifications: true,
    user_settings_object: true,
    simplified_presence_events: true,
  },
};

const portUntil = (stop: AbortSignal): QueuePort => ({
  register: () => request<Registered>('POST', '/register', { body: REGISTRATION, stop }),
  async poll(id, lastEventId, waits) {
    const { events } = await request<{ events: readonly ClientEvent[] }>('GET', '/events', {
      query: { queue_id: id, last_event_id: lastEventId, dont_block: !waits },
      stop: AbortSignal.any([stop, AbortSignal.timeout(POLL_TIMEOUT_MS)]),
    });
    return events;
  },
  failureOf(error) {
    if (!(error instanceof Refused)) return 'other';
    if (error.code === 'BAD_EVENT_QUEUE_ID') return 'no such queue';
    return error.status === 401 ? 'signed out' : 'other';
  },
  pause,
});

/** Ends early when the browser finds a network. */
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      removeEventListener('online', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    addEventListener('online', end);
  });

/** Follows the events of whoever is signed in. */
export function connect(): void {
  effect(() => {
    if (!me.value) return;
    const ended = new AbortController();
    const listener = {
      started(state: Registered) {
        queueId.value = state.queue_id;
        startWith(state);
      },
      happened: applyAll,
      told(state: Connection) {
        connection.value = state;
        if (state === 'lost') endSession();
      },
    };
    connection.value = 'connecting';
    void followQueue(portUntil(ended.signal), listener, ended.signal);
    return () => ended.abort();
  });
}
