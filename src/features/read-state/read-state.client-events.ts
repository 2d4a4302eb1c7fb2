import type { ClientEventOf } from '../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { flagsRemove, starsLost } from '../../../projections/client-events/read-state.js';
import type { MessageDocument } from '../../../projections/messages/messages.projection.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { Facts } from '../../directory/facts.js';
import { isInHistory } from '../../directory/readable-messages.js';
import { topicForClients } from '../../events/messages/topic-name.js';
import { type Position, START } from '../../platform/kernel/position.js';
import {
  type ClientEventWriter,
  type ServedQueue,
  type WriteBody,
  WritesClientEvents,
} from '../event-queues/client-event-writer.js';
import { mentionFlags } from '../message-flags/queries/content-flags.js';
import { isLostSince } from '../message-flags/queries/lost-messages.js';
import { ReadStates } from '../message-flags/services/read-states.js';
import { flagsBody } from '../messages/client-events/change-bodies.js';
import { MessageDocuments } from '../messages/client-events/message-documents.js';
import { placeAt, staysBefore } from '../messages/queries/records/message-places.js';
import { type MoveHistories, moveHistoriesOf } from '../messages/queries/records/move-histories.js';
import type { MessageRow } from '../messages/services/message-block.js';
import { MessageRows } from '../messages/services/message-rows.js';

type FlagsRemoved = ClientEventOf<typeof flagsRemove>;

@WritesClientEvents()
export class FlagClientEvents implements ClientEventWriter {
  readonly kinds = [flagsRemove, starsLost];

  constructor(
    private readonly facts: Facts,
    private readonly messageDocuments: MessageDocuments,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
  ) {}

  async prepare(events: readonly ClientEventDocument[], { reader, variant }: ServedQueue): Promise<WriteBody> {
    const ids = events.filter(flagsRemove.is).flatMap(describedIds);
    const byId = await this.messageDocuments.byIds(ids);
    const histories = await moveHistoriesOf([...byId.values()], this.facts.readModels);
    const newestLoss = events.filter(starsLost.is).at(-1);
    const lostStars = newestLoss && (await this.lostStars(reader, positionOf(newestLoss._id)));
    return (event) => {
      if (starsLost.is(event)) {
        const lost = lostStars?.(positionOf(event._id)) ?? [];
        return lost.length > 0 ? flagsBody('remove', 'starred', lost) : null;
      }
      if (!flagsRemove.is(event)) return null;
      return unflaggedBody(event, byId, histories, reader, this.facts.directory, variant.allowEmptyTopicName);
    };
  }

  /** @returns finds the stars that were lost at a position or later, and not set again */
  private async lostStars(reader: UserRecord, newest: Position): Promise<(position: Position) => readonly number[]> {
    const state = await this.readStates.of(reader._id, newest);
    const rows = await this.rows.byIds(state.ids('starred'));
    return (position) => {
      const isLost = (row: MessageRow): boolean => {
        const since = Math.max(state.starredAt(row._id) ?? START, position - 1);
        return isLostSince(since, row, reader, this.facts.directory);
      };
      return rows.filter(isLost).map(({ _id }) => _id);
    };
  }
}

/** Ids of the messages that the body describes: clients get the place of each message that becomes unread. */
const describedIds = ({ payload: { flag, messageIds } }: FlagsRemoved): readonly number[] =>
  flag === 'read' ? messageIds : [];

/** @returns null if no message is left to send */
function unflaggedBody(
  { _id, payload: { flag, messageIds } }: FlagsRemoved,
  messages: ReadonlyMap<number, MessageDocument>,
  histories: MoveHistories,
  reader: UserRecord,
  directory: Directory,
  allowEmptyTopicName: boolean,
): string | null {
  if (flag !== 'read') return flagsBody('remove', flag, messageIds);
  // No message becomes unread in a channel that its reader had just left.
  const isVisible = (message: MessageDocument): boolean =>
    message.type === 'direct' ||
    directory.wasSubscribed(
      reader._id,
      staysBefore(positionOf(_id), message).at(-1)?.channelId ?? message.channelId,
      positionOf(_id),
    );
  const visible = messageIds.flatMap((id) => messages.get(id) ?? []).filter(isVisible);
  if (visible.length === 0) return null;
  const details = visible.map((message): [number, object] => [
    message._id,
    {
      ...detailsOf(message, histories, positionOf(_id), reader, allowEmptyTopicName),
      ...(isMentionedIn(reader, message, directory) && { mentioned: true }),
    },
  ]);
  const ids = visible.map(({ _id }) => _id);
  return flagsBody('remove', 'read', ids, new Map(details));
}

function detailsOf(
  message: MessageDocument,
  histories: MoveHistories,
  position: Position,
  reader: UserRecord,
  allowEmptyTopicName: boolean,
): object {
  if (message.type === 'direct')
    return { type: 'private', user_ids: message.participants.filter((id) => id !== reader._id) };
  const { channelId, topic } = placeAt(position, message, histories.get(message.journey ?? ''));
  return { type: 'stream', stream_id: channelId, topic: topicForClients(topic, allowEmptyTopicName) };
}

const isMentionedIn = (reader: UserRecord, message: MessageDocument, directory: Directory): boolean =>
  mentionFlags(reader, message, directory).length > 0 && isInHistory(reader, message, directory);
