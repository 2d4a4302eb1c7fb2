import { derivedId } from '../../kernel/derived-id.js';
import type { MessageSent } from './messages.events.js';
import type { SendMessage } from './send-message.js';

/** What the caller chose so that a repeat can be recognised; null for a send without a key. */
export interface SendKey {
  /** The same for every request of this caller with this key. */
  readonly id: string;
  readonly kind: NonNullable<MessageSent['data']['sendKey']>['kind'];
}

/** The `Idempotency-Key` header counts before `queue_id` + `local_id`. */
export function sendKeyOf({ message, senderId }: SendMessage): SendKey | null {
  const { idempotencyKey, localEcho } = message;
  if (idempotencyKey !== null)
    return { id: derivedId('idempotency-key', senderId, idempotencyKey), kind: 'idempotency-key' };
  if (localEcho) return { id: derivedId('local-id', senderId, localEcho.queueId, localEcho.localId), kind: 'local-id' };
  return null;
}

/**
 * The event id of the n-th message sent under a key, from 0. A `local_id` used again for another message is a new one
 * (n > 0); the words take no part in the id, so that it tells nothing about them once they are deleted.
 */
export const eventIdOf = (key: SendKey, n: number): string => derivedId('MessageSent', key.id, n);

/** The request as a repeat must match it. */
export const bodyOf = ({ message }: SendMessage): string => JSON.stringify([message.to, message.content]);
