import type { ClientEvent } from '../../platform/client-events.js';
import type { Conversation } from '../../platform/state/conversation.js';

/** A message that the page has not seen come back. */
export interface Unsent {
  /** Names the message in the queue of this page, and is the key by which the server stores it once. */
  readonly localId: string;
  readonly conversation: Conversation;
  readonly content: string;
  /**
   * `waiting`: it is sent as soon as it can be. `refused`: the server has said why not. `sent`: the server has it, under `id`,
   * and its event is under way.
   */
  readonly state: 'waiting' | 'refused' | 'sent';
  readonly id: number | null;
  /** Why it waits, or is refused; empty: nothing is known against it. */
  readonly problem: string;
}

export type Outbox = readonly Unsent[];

export const written = (localId: string, conversation: Conversation, content: string): Unsent => ({
  localId,
  conversation,
  content,
  state: 'waiting',
  id: null,
  problem: '',
});

/** The next one to send. Messages are sent one after another, in the order in which they were written. */
export const nextOf = (outbox: Outbox): Unsent | null => outbox.find(({ state }) => state === 'waiting') ?? null;

export const changed = (outbox: Outbox, localId: string, change: Partial<Unsent>): Outbox =>
  outbox.map((one) => (one.localId === localId ? { ...one, ...change } : one));

export const without = (outbox: Outbox, localId: string): Outbox => outbox.filter((one) => one.localId !== localId);

/** @param hasCome whether the page has the message already: the answer to a send may come after its event, or a new queue */
export const onStored = (outbox: Outbox, localId: string, id: number, hasCome: boolean): Outbox =>
  hasCome ? without(outbox, localId) : changed(outbox, localId, { state: 'sent', id, problem: '' });

/** Removes a message that comes back, also if the answer to its send never came. */
export function evolveOutbox(outbox: Outbox, event: ClientEvent): Outbox {
  if (event.type !== 'message') return outbox;
  const { local_message_id, message } = event;
  return outbox.filter(({ localId, id }) => localId !== local_message_id && id !== message.id);
}

/** A new queue tells nothing of before, and places are loaded anew: what is stored is among their messages. */
export const onNewQueue = (outbox: Outbox): Outbox => outbox.filter(({ state }) => state !== 'sent');

/** Whether a send may succeed later as it is. Its key makes sure that it is stored once. */
export const isPassing = (status: number): boolean =>
  status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
