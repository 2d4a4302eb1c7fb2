import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { refuse } from '../../kernel/domain-error.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../domain/topic-name.js';
import { seconds } from './edit-history.js';
import { wordsOf } from './message-words.js';
import { mayRead } from './readable-messages.js';

/** A message as one change left it; the first is how it was sent. */
export interface MessageSnapshot {
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
    const topic = topicOf(message, allowEmptyTopicName);
    const { pastWords = [], senderId, sentAt } = message;
    const sent = { topic, timestamp: seconds(sentAt), user_id: senderId };
    // Words that were are told to nobody where only moves are told: not as the first ones, either.
    if (policy !== 'all') return [{ ...sent, ...wordsAt(message, pastWords.length) }];
    const edits = pastWords.map(({ editorId, editedAt, text, rendered }, before) => ({
      topic,
      ...wordsAt(message, before + 1),
      prev_content: text ?? '',
      prev_rendered_content: rendered ?? '',
      timestamp: seconds(editedAt),
      user_id: editorId,
    }));
    return [{ ...sent, ...wordsAt(message, 0) }, ...edits];
  }
}

function wordsAt(message: MessageDocument, revision: number): Pick<MessageSnapshot, 'content' | 'rendered_content'> {
  const { text, rendered } = wordsOf(message, revision);
  return { content: text ?? '', rendered_content: rendered ?? '' };
}

function topicOf(message: MessageDocument, allowEmptyTopicName: boolean): string {
  if (message.type === 'direct') return '';
  return message.topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : message.topic;
}
