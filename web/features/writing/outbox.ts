import { effect, signal } from '@preact/signals';
import { Refused, request } from '../../platform/api.js';
import { connection, queueId } from '../../platform/connection.js';
import { wordsOf } from '../../platform/deed.js';
import { addressOf, type Conversation } from '../../platform/state/conversation.js';
import { follow, myId } from '../../platform/store.js';
import {
  changed,
  evolveOutbox,
  isPassing,
  nextOf,
  type Outbox,
  onNewQueue,
  onStored,
  type Unsent,
  without,
  written,
} from './outbox-state.js';

/** The tab's own, so that a reload loses nothing, and no other tab sends it, too; nobody sends what another person left there. */
const storedAt = (): string => `annals.unsent.${myId.peek()}`;
const RETRY_MS = 3000;
export const outbox = signal<Outbox>([]);

/** The newest message that the page knows of. Ids ascend, and so do events: what is not newer has come. */
let newestId = 0;
let isSending = false;
let retry: ReturnType<typeof setTimeout> | undefined;

export function send(conversation: Conversation, content: string): void {
  put([...outbox.value, written(newLocalId(), conversation, content)]);
  void sendAll();
}

export function sendAgain({ localId }: Unsent): void {
  put(changed(outbox.value, localId, { state: 'waiting', problem: '' }));
  void sendAll();
}

export function discard({ localId }: Unsent): void {
  put(without(outbox.value, localId));
}

/** Sends what is left of an earlier visit, and, whenever there is a connection, what waits. */
export function openOutbox(): void {
  follow({
    started({ max_message_id }) {
      newestId = max_message_id;
      put(onNewQueue(outbox.value.length > 0 ? outbox.value : restored()));
    },
    happened(event) {
      if (event.type !== 'message') return;
      newestId = Math.max(newestId, event.message.id);
      put(evolveOutbox(outbox.value, event));
    },
  });
  effect(() => {
    if (connection.value === 'online') void sendAll();
  });
}

async function sendAll(): Promise<void> {
  if (isSending || myId.peek() === 0) return;
  isSending = true;
  clearTimeout(retry);
  for (let next = nextOf(outbox.peek()); next; next = nextOf(outbox.peek())) {
    const { localId } = next;
    try {
      const { id } = await store(next);
      put(onStored(outbox.peek(), localId, id, id <= newestId));
    } catch (error) {
      const problem = wordsOf(error);
      const isWaiting = !(error instanceof Refused) || isPassing(error.status);
      put(changed(outbox.peek(), localId, { state: isWaiting ? 'waiting' : 'refused', problem }));
      // It may have come back meanwhile; others must not overtake one that waits.
      if (isWaiting && outbox.peek().some((one) => one.localId === localId)) {
        retry = setTimeout(() => void sendAll(), RETRY_MS);
        break;
      }
    }
  }
  isSending = false;
}

function store({ localId, conversation, content }: Unsent): Promise<{ readonly id: number }> {
  return request('POST', '/messages', {
    body: {
      ...addressOf(conversation, myId.peek()),
      ...{ content, queue_id: queueId.peek(), local_id: localId, read_by_sender: true },
    },
    idempotencyKey: localId,
  });
}

function put(next: Outbox): void {
  if (next === outbox.peek() || (next.length === 0 && outbox.peek().length === 0)) return;
  outbox.value = next;
  sessionStorage.setItem(storedAt(), JSON.stringify(next));
}

const restored = (): Outbox => JSON.parse(sessionStorage.getItem(storedAt()) ?? '[]');

/** Where the page is not of a secure origin, there is no `randomUUID`. */
const newLocalId = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
