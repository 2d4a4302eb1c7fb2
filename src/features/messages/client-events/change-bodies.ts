import { setTimeout } from 'node:timers/promises';
import type { ClientEventOf } from '../../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../../projections/client-events/client-events.projection.js';
import {
  type messageDelete,
  messageUpdate,
  type reactionAdd,
  type reactionRemove,
} from '../../../../projections/client-events/messages.js';
import { messagesMoved } from '../../../../projections/client-events/moves.js';
import type { EventQueueDocument } from '../../../../projections/event-queues/event-queues.projection.js';
import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { Facts } from '../../../directory/facts.js';
import { topicForClients } from '../../../events/messages/topic-name.js';
import type { OwnFlag } from '../../../events/read-state/read-state.events.js';
import type { Position } from '../../../platform/kernel/position.js';
import { contentAtRevision } from '../queries/records/message-content.js';
import { held } from './held.js';

/**
 * The body by which a reader's flags change.
 * @param details by message id: where the messages are that become unread
 */
export const flagsBody = (
  op: 'add' | 'remove',
  flag: OwnFlag,
  messages: readonly number[],
  details?: ReadonlyMap<number, object>,
): string =>
  JSON.stringify({
    type: 'update_message_flags',
    op,
    // The older name of `op`.
    operation: op,
    flag,
    messages,
    all: false,
    ...(details && { message_details: Object.fromEntries(details) }),
  });

type Edit = ClientEventOf<typeof messageUpdate>;

/** A request moves a message right after the edit. If the move is not there by then, the edit is told alone. */
const PATIENCE_MS = 1000;
const STEP_MS = 10;
/** Events between the two, at most. */
const BETWEEN = 200;

/** Edits that one request made with a move of the message: the client event of the move tells both. */
export class EditsWithMoves {
  private readonly found = new Map<Position, Promise<boolean>>();

  constructor(private readonly facts: Facts) {}

  /** Positions of the edits whose move is in the feed. */
  async among(events: readonly ClientEventDocument[]): Promise<ReadonlySet<Position>> {
    const positions = new Set<Position>();
    for (const event of events) {
      if (!messageUpdate.is(event) || !event.payload.moves) continue;
      const isMoved = events.some((other) => isMoveOf(event, other)) || (await this.isMoved(event));
      if (isMoved) positions.add(positionOf(event._id));
    }
    return positions;
  }

  private isMoved(event: Edit): Promise<boolean> {
    const position = positionOf(event._id);
    return held(this.found, position, () => this.lookUp(event, position));
  }

  private async lookUp(event: Edit, after: Position): Promise<boolean> {
    const { readModels } = this.facts;
    for (;;) {
      const isLate = Date.now() > event.at + PATIENCE_MS;
      const next = await readModels
        .collection<ClientEventDocument>(clientEvents, 'events')
        .find({ position: { $gt: after } }, { sort: { position: 1, _id: 1 }, limit: BETWEEN });
      if (next.some((other) => isMoveOf(event, other))) return true;
      if (isLate || next.length === BETWEEN) return false;
      await setTimeout(STEP_MS);
    }
  }
}

const isMoveOf = ({ payload: { messageId, contentRevision } }: Edit, other: ClientEventDocument): boolean =>
  messagesMoved.is(other) && other.payload.anchorId === messageId && other.payload.contentRevision === contentRevision;

interface UpdateFacts {
  /** null: the reader may not know the name. */
  readonly channelName: string | null;
  /** Whether readers may see the content before the edit. */
  readonly showsPreviousContent: boolean;
}

/**
 * The body of an edit, without the reader's flags. The content is as this edit left it, whatever has changed it since.
 */
export function updateBody(
  event: ClientEventOf<typeof messageUpdate>,
  message: MessageDocument,
  { channelName, showsPreviousContent }: UpdateFacts,
): Record<string, unknown> {
  const { messageId, place, editorId, contentRevision } = event.payload;
  const channel = place.type === 'channel' ? { stream_id: place.channelId, stream_name: channelName ?? '' } : {};
  return {
    type: 'update_message',
    user_id: editorId,
    rendering_only: false,
    message_id: messageId,
    message_ids: [messageId],
    edit_timestamp: Math.floor(event.at / 1000),
    ...channel,
    ...contentBody(message, contentRevision, showsPreviousContent),
  };
}

/** The part of a body that tells of an edit of the content. */
export function contentBody(
  message: MessageDocument,
  contentRevision: number,
  showsPreviousContent: boolean,
): Record<string, unknown> {
  const [before, after] = [
    contentAtRevision(message, contentRevision - 1),
    contentAtRevision(message, contentRevision),
  ];
  return {
    ...(showsPreviousContent && { orig_content: before.text ?? '', orig_rendered_content: before.rendered ?? '' }),
    content: after.text ?? '',
    rendered_content: after.rendered ?? '',
    is_me_message: after.text?.startsWith('/me ') ?? false,
  };
}

export function reactionBody(
  { kind, payload }: ClientEventOf<typeof reactionAdd | typeof reactionRemove>,
  directory: Directory,
): Record<string, unknown> {
  const { messageId, userId, emojiName, emojiCode, reactionType } = payload;
  const user = directory.user(userId);
  return {
    type: 'reaction',
    op: kind === 'reaction/add' ? 'add' : 'remove',
    message_id: messageId,
    emoji_name: emojiName,
    emoji_code: emojiCode,
    reaction_type: reactionType,
    user_id: userId,
    // Deprecated, but some clients fail without it.
    user: { user_id: userId, email: user?.email ?? '', full_name: user?.fullName ?? '', is_mirror_dummy: false },
  };
}

/** The body of a deletion: a list of ids for clients with `bulk_message_deletion`, one id for others. */
export function deletionBody(
  { payload: { messageId, place } }: ClientEventOf<typeof messageDelete>,
  { clientCapabilities }: EventQueueDocument,
): Record<string, unknown> {
  const which = clientCapabilities.bulk_message_deletion ? { message_ids: [messageId] } : { message_id: messageId };
  if (place.type === 'direct') return { type: 'delete_message', ...which, message_type: 'private' };
  const topic = topicForClients(place.topic, clientCapabilities.empty_topic_name ?? false);
  return { type: 'delete_message', ...which, message_type: 'stream', stream_id: place.channelId, topic };
}
