// Sends, reads and polls by a client that is made from the description. Prints what it got, as JSON.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const { ANNALS_API = '', ANNALS_EMAIL = '', ANNALS_KEY = '' } = process.env;
const authorization = `Basic ${Buffer.from(`${ANNALS_EMAIL}:${ANNALS_KEY}`).toString('base64')}`;
const api = createClient<paths>({ baseUrl: ANNALS_API, headers: { authorization } });

type Message = components['schemas']['MessageEvent']['message'];

/** The answer of a request that must succeed. */
function answerOf<T>({ data, error }: { data?: T; error?: components['schemas']['Error'] }): T {
  if (data === undefined) throw new Error(`${error?.code}: ${error?.msg}`);
  return data;
}

const registered = answerOf(await api.POST('/register', { body: { event_types: ['message'], apply_markdown: false } }));
const queue = registered.queue_id ?? '';
let last = registered.last_event_id ?? -1;

async function send(content: string, key: string): Promise<number> {
  const params = { header: { 'Idempotency-Key': key } };
  const body = { type: 'channel', to: 'general', topic: 'clients', content } as const;
  return answerOf(await api.POST('/messages', { params, body })).id;
}

/** Waits for the next message of the queue. */
async function poll(): Promise<Message> {
  for (;;) {
    const query = { queue_id: queue, last_event_id: last };
    for (const event of answerOf(await api.GET('/events', { params: { query } })).events ?? []) {
      last = event.id ?? last;
      if (event.type === 'message') return event.message;
    }
  }
}

const first = await send('first', 'once');
const again = await send('first', 'once');
const narrow = JSON.stringify([{ operator: 'topic', operand: 'clients' }]);
const query = { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false, narrow };
const { messages = [] } = answerOf(await api.GET('/messages', { params: { query } }));
const told = await poll();

const waiting = poll();
const second = await send('second', 'twice');
const awaited = await waiting;

const { error } = await api.GET('/messages/{message_id}', { params: { path: { message_id: 1_000_000 } } });

console.log(
  JSON.stringify({
    ids: [first, again, second],
    read: messages.map(({ id, content }) => [id, content]),
    polled: [told, awaited].map((message) => [message?.id, message?.content]),
    code: error?.code,
  }),
);
