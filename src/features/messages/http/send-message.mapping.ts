import { refuse } from '../../../platform/kernel/deciding.js';
import type { Addressee } from '../domain/send-message.js';
import type { SendMessageParameters } from './messages.parameters.js';

const MAX_KEY_LENGTH = 255;

/** Reads `to`. A channel may come as a list of one element, addresses as one text with commas. */
export function addresseeOf({ type, to, topic }: SendMessageParameters): Addressee {
  if (type === 'direct' || type === 'private') {
    const users = typeof to === 'string' ? to.split(',').map((address) => address.trim()) : [to].flat();
    // Removes duplicates: each user is looked up once.
    return { type: 'direct', users: [...new Set<string | number>(users)].filter((user) => user !== '') };
  }
  const channels: readonly (string | number)[] = [to].flat();
  const [channel] = channels;
  if (channel === undefined || channels.length > 1) refuse('ONE_CHANNEL_EXPECTED');
  return { type: 'channel', channel, topic: topic ?? null };
}

/** Reads both or neither: without its queue, nothing would get a `local_id` back. */
export function localEchoOf({
  queue_id,
  local_id,
}: SendMessageParameters): { queueId: string; localId: string } | null {
  if (queue_id === undefined) return local_id === undefined ? null : refuse('QUEUE_ID_MISSING');
  if (local_id === undefined) return refuse('LOCAL_ID_MISSING');
  if (local_id.length > MAX_KEY_LENGTH || queue_id.length > MAX_KEY_LENGTH)
    refuse('KEY_TOO_LONG', { limit: MAX_KEY_LENGTH });
  return { queueId: queue_id, localId: local_id };
}

/** The `Idempotency-Key` header: any text of 1 to 255 characters. */
export function idempotencyKeyOf(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header === '' || header.length > MAX_KEY_LENGTH) refuse('KEY_TOO_LONG', { limit: MAX_KEY_LENGTH });
  return header;
}
