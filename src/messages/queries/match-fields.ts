import type { MessageDocument } from '../../../projections/messages.projection.js';
import { escapeHtml, highlighted } from '../domain/highlight.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../domain/topic-name.js';
import type { MessageRecordOptions } from './message-record.js';

export interface MatchFields {
  /** HTML, whatever form of the words is wanted besides. */
  readonly match_content: string;
  readonly match_subject: string;
}

/** How a message shows what a search has found in it; nothing is marked where nothing was searched. */
export function matchFields(
  message: MessageDocument,
  search: string | null,
  { allowEmptyTopicName }: Pick<MessageRecordOptions, 'allowEmptyTopicName'>,
): MatchFields {
  const topic = message.type === 'channel' ? message.topic : '';
  const isNamed = topic === '' && message.type === 'channel' && !allowEmptyTopicName;
  const subject = escapeHtml(isNamed ? EMPTY_TOPIC_DISPLAY_NAME : topic);
  const content = message.rendered ?? '';
  if (search === null) return { match_content: content, match_subject: subject };
  return {
    match_content: highlighted(content, search),
    // The name for an empty topic is nothing that anybody wrote.
    match_subject: isNamed ? subject : highlighted(subject, search),
  };
}
