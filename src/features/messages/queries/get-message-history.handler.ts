import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { topicForClients } from '../../../events/messages/topic-name.js';
import { ANSWER_BYTES, ByteBudget, type PartSize, sizeOfTexts } from '../../../platform/kernel/byte-budget.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { seconds } from '../../../platform/kernel/durations.js';
import { Query } from '../../../platform/kernel/query.js';
import { changesOf, type MoveForClients, moveForClients } from './records/edit-history.js';
import { contentAtRevision, contentRevisionOf } from './records/message-content.js';
import { allMovesOf } from './records/move-histories.js';

/** A message as one change left it; the first snapshot is the message as sent. */
export interface MessageSnapshot extends MoveForClients {
  readonly topic: string;
  readonly content: string;
  readonly rendered_content: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly user_id: number | null;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
}

export class GetMessageHistory extends Query<
  {
    reader: UserRecord;
    messageId: number;
    allowEmptyTopicName: boolean;
  },
  readonly MessageSnapshot[]
> {}

@QueryHandler(GetMessageHistory)
export class GetMessageHistoryHandler implements IQueryHandler<GetMessageHistory> {
  constructor(
    private readonly facts: Facts,
    @Inject(ANSWER_BYTES) private readonly answerBytes: number,
  ) {}

  /**
   * Snapshots, oldest first: the first, and the newest that an answer has room for.
   * @throws DomainError EDIT_HISTORY_TURNED_OFF, INVALID_MESSAGE
   */
  async execute({ reader, messageId, allowEmptyTopicName }: GetMessageHistory): Promise<readonly MessageSnapshot[]> {
    const policy = this.facts.directory.setting('message_edit_history_visibility_policy');
    if (policy === 'none') refuse('EDIT_HISTORY_TURNED_OFF');
    const collection = this.facts.readModels.collection<MessageDocument>(messages, MESSAGES);
    const message = await collection.findOne({ _id: messageId });
    if (!message || !mayRead(reader, message, this.facts.directory)) return refuse('INVALID_MESSAGE');
    const { senderId, sentAt } = message;
    const moves = await allMovesOf(message, this.facts.readModels);
    const edited = changesOf(message, moves, policy);
    // If the policy is `moves`, every snapshot has the current content, the first one too.
    let content = contentAt(message, policy === 'all' ? 0 : contentRevisionOf(message));
    let topic = topicForClients(firstTopicOf(message), allowEmptyTopicName);
    const sent = { topic, ...content, timestamp: seconds(sentAt), user_id: senderId };
    const after = edited.map((change): MessageSnapshot => {
      if (change.kind === 'move') {
        const { at, moverId, to } = change.move;
        topic = topicForClients(to.topic, allowEmptyTopicName);
        const moved = moveForClients(change.move, allowEmptyTopicName);
        return { ...moved, topic, ...content, timestamp: seconds(at), user_id: moverId };
      }
      const { editorId, editedAt, text, rendered } = change.past;
      content = contentAt(message, change.revision + 1);
      const before = { prev_content: text ?? '', prev_rendered_content: rendered ?? '' };
      if (change.kind === 'both') topic = topicForClients(change.move.to.topic, allowEmptyTopicName);
      const moved = change.kind === 'both' ? moveForClients(change.move, allowEmptyTopicName) : {};
      return { ...moved, topic, ...content, ...before, timestamp: seconds(editedAt), user_id: editorId };
    });
    const budget = new ByteBudget(this.answerBytes);
    const oldest = after.findLastIndex((snapshot) => !budget.admits(sizeOf(snapshot))) + 1;
    return [sent, ...after.slice(oldest)];
  }
}

/** Estimates the size of a snapshot in an answer. */
function sizeOf({
  content,
  rendered_content,
  prev_content = '',
  prev_rendered_content = '',
}: MessageSnapshot): PartSize {
  const texts = [content, rendered_content, prev_content, prev_rendered_content];
  return sizeOfTexts((bytesOf) => texts.reduce((sum, text) => sum + bytesOf(text), 500));
}

function contentAt(message: MessageDocument, revision: number): Pick<MessageSnapshot, 'content' | 'rendered_content'> {
  const { text, rendered } = contentAtRevision(message, revision);
  return { content: text ?? '', rendered_content: rendered ?? '' };
}

/** The topic that the message was sent to. */
function firstTopicOf(message: MessageDocument): string {
  if (message.type === 'direct') return '';
  return message.sentTo?.topic ?? message.topic;
}
