import type { MessageSent } from '../../../events/messages/messages.events.js';
import { derivedId } from '../../../platform/kernel/ids.js';
import type { SendMessage } from './send-message.js';

/** The caller's mark by which a repeat is recognized; null for a send without a key. */
export interface SendKey {
  /** The same for all requests of this caller with this key. */
  readonly id: string;
  readonly kind: NonNullable<MessageSent['data']['sendKey']>['kind'];
}

/** The key of a send. The `Idempotency-Key` header takes precedence over `queue_id` + `local_id`. */
export function sendKeyOf({ message, senderId }: SendMessage): SendKey | null {
  const { idempotencyKey, localEcho } = message;
  if (idempotencyKey !== null)
    return { id: derivedId('idempotency-key', senderId, idempotencyKey), kind: 'idempotency-key' };
  if (localEcho) return { id: derivedId('local-id', senderId, localEcho.queueId, localEcho.localId), kind: 'local-id' };
  return null;
}

/**
 * The event id of the n-th message sent under a key, from 0. A `local_id` used again for another message makes a new
 * message (n > 0). The content takes no part in the id: the id must tell nothing about it once it is deleted.
 */
export const eventIdOf = (key: SendKey, n: number): string => derivedId('MessageSent', key.id, n);

/** The part of the request that a repeat must match. */
export const bodyOf = ({ message }: SendMessage): string => JSON.stringify([message.to, message.content]);
