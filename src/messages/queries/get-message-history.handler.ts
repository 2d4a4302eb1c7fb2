import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { refuse } from '../../kernel/domain-error.js';
import { topicForClients } from '../domain/topic-name.js';
import { changesOf, type MoveForClients, moveForClients, seconds } from './edit-history.js';
import { allMovesOf } from './journeys.js';
import { contentRevisionOf, wordsOf } from './message-words.js';
import { mayRead } from './readable-messages.js';

/** A message as one change left it; the first is how it was sent. */
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

export class GetMessageHistory {
  constructor(
    readonly reader: UserRecord,
    readonly messageId: number,
    readonly allowEmptyTopicName: boolean,
  ) {}
}

@QueryHandler(GetMessageHistory)
export class GetMessageHistoryHandler implements IQueryHandler<GetMessageHistory, readonly MessageSnapshot[]> {
  constructor(
    private readonly directory: Directory,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** Oldest first. @throws DomainError EDIT_HISTORY_TURNED_OFF, INVALID_MESSAGE */
  async execute({ reader, messageId, allowEmptyTopicName }: GetMessageHistory): Promise<readonly MessageSnapshot[]> {
    const policy = this.directory.setting('message_edit_history_visibility_policy');
    if (policy === 'none') refuse('EDIT_HISTORY_TURNED_OFF');
    const collection = this.readModels.collection<MessageDocument>(messages, MESSAGES);
    const message = await collection.findOne({ _id: messageId });
    if (!message || !mayRead(reader, message, this.directory)) return refuse('INVALID_MESSAGE');
    const { senderId, sentAt } = message;
    const moves = await allMovesOf(message, this.readModels);
    const edited = changesOf(message, moves, policy);
    // Words that were are told to nobody where only moves are told: not as the first ones, either.
    let words = wordsAt(message, policy === 'all' ? 0 : contentRevisionOf(message));
    let topic = topicForClients(firstTopicOf(message), allowEmptyTopicName);
    const sent = { topic, ...words, timestamp: seconds(sentAt), user_id: senderId };
    const after = edited.map((change): MessageSnapshot => {
      if (change.kind === 'move') {
        const { at, moverId, to } = change.move;
        topic = topicForClients(to.topic, allowEmptyTopicName);
        const moved = moveForClients(change.move, allowEmptyTopicName);
        return { ...moved, topic, ...words, timestamp: seconds(at), user_id: moverId };
      }
      const { editorId, editedAt, text, rendered } = change.past;
      words = wordsAt(message, change.revision + 1);
      const before = { prev_content: text ?? '', prev_rendered_content: rendered ?? '' };
      return { topic, ...words, ...before, timestamp: seconds(editedAt), user_id: editorId };
    });
    return [sent, ...after];
  }
}

function wordsAt(message: MessageDocument, revision: number): Pick<MessageSnapshot, 'content' | 'rendered_content'> {
  const { text, rendered } = wordsOf(message, revision);
  return { content: text ?? '', rendered_content: rendered ?? '' };
}

/** Where it was sent. */
function firstTopicOf(message: MessageDocument): string {
  if (message.type === 'direct') return '';
  return message.sentTo?.topic ?? message.topic;
}
