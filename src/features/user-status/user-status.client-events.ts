import { Inject } from '@nestjs/common';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import {
  type UserStatus,
  type UserStatusPayload,
  userStatus,
  userStatuses,
} from '../../../projections/user-statuses/user-statuses.projection.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import { type ClientEventWriter, type WriteBody, WritesClientEvents } from '../event-queues/client-event-writer.js';
import { emojiForClients, statusesOf } from './queries/statuses.js';

/** Tells statuses as they are when the client event is sent, which may be later than the event. */
@WritesClientEvents()
export class UserStatusClientEvents implements ClientEventWriter {
  readonly kinds = [userStatus];
  /** Everybody is told: the first reader's texts serve the others until a status changes. */
  private texts = new WeakMap<ClientEventDocument, string>();

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async prepare(events: readonly ClientEventDocument[]): Promise<WriteBody> {
    const { texts } = this;
    const unwritten = events.filter(userStatus.is).filter((event) => !texts.has(event));
    if (unwritten.length > 0) {
      await this.readModels.waitFor([userStatuses], positionOf(unwritten.at(-1)?._id ?? 0));
      const ids = unwritten.map(({ payload }) => payload.userId);
      const found = await statusesOf(ids, this.readModels);
      for (const event of unwritten) texts.set(event, bodyOf(event.payload, found.get(event.payload.userId)));
    }
    return (event) => texts.get(event) ?? null;
  }

  forget(events: readonly ClientEventDocument[]): void {
    if (events.some(userStatus.is)) this.texts = new WeakMap();
  }
}

/** @param status undefined: none any more. It is told all the same: a later event may tell fewer of its parts. */
function bodyOf(payload: UserStatusPayload, status: UserStatus | undefined): string {
  const head = { type: 'user_status', user_id: payload.userId };
  if ('away' in payload) return JSON.stringify({ ...head, away: payload.away });
  const { text, emoji } = status ?? { text: '', emoji: null };
  return JSON.stringify({
    ...head,
    ...(payload.told.includes('text') && { status_text: text }),
    ...(payload.told.includes('emoji') && emojiForClients(emoji ?? NO_EMOJI)),
  });
}

const NO_EMOJI = { emojiName: '', emojiCode: '', reactionType: 'unicode_emoji' as const };
