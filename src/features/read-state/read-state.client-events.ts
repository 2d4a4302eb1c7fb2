import { Inject, Injectable } from '@nestjs/common';
import type { ClientEventOf } from '../../../projections/client-events/client-event.js';
import { type ClientEventDocument, positionOf } from '../../../projections/client-events/client-events.documents.js';
import { flagsRemove } from '../../../projections/client-events/read-state.js';
import type { MessageDocument } from '../../../projections/messages/messages.projection.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { isInHistory } from '../../directory/readable-messages.js';
import { topicForClients } from '../../events/messages/topic-name.js';
import type { Position } from '../../platform/kernel/position.js';
import { READ_MODELS, type ReadModels } from '../../platform/read-models/read-models.js';
import type { Addressee, ClientEventWriter, WriteBody } from '../event-queues/client-event-writer.js';
import { MessageDocuments } from '../messages/client-events/message-documents.js';
import { mentionFlags } from '../narrow/queries/content-flags.js';
import { placeAt, staysBefore } from '../narrow/queries/message-places.js';
import { type MoveHistories, moveHistoriesOf } from '../narrow/queries/move-histories.js';

type FlagsRemoved = ClientEventOf<typeof flagsRemove>;

@Injectable()
export class FlagClientEvents implements ClientEventWriter {
  readonly kinds = [flagsRemove];

  constructor(
    private readonly directory: Directory,
    private readonly messageDocuments: MessageDocuments,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async prepare(events: readonly ClientEventDocument[], { reader, variant }: Addressee): Promise<WriteBody> {
    const ids = events.filter(flagsRemove.is).flatMap(describedIds);
    const byId = await this.messageDocuments.byIds(ids);
    const histories = await moveHistoriesOf([...byId.values()], this.readModels);
    return (event) =>
      flagsRemove.is(event)
        ? unflaggedBody(event, byId, histories, reader, this.directory, variant.allowEmptyTopicName)
        : null;
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
  // `operation` is the older name of `op`.
  const head = { type: 'update_message_flags', op: 'remove', operation: 'remove', flag };
  if (flag !== 'read') return JSON.stringify({ ...head, messages: messageIds, all: false });
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
  const details = visible.map((message) => [
    message._id,
    {
      ...detailsOf(message, histories, positionOf(_id), reader, allowEmptyTopicName),
      ...(isMentionedIn(reader, message, directory) && { mentioned: true }),
    },
  ]);
  const ids = visible.map(({ _id }) => _id);
  return JSON.stringify({ ...head, messages: ids, all: false, message_details: Object.fromEntries(details) });
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
