import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../../events/messages/topic-name.js';
import type { Search } from '../../../../platform/documents/tokenize.js';
import { escapeHtml, highlighted } from '../../../narrow/domain/highlight.js';
import type { MessageRecordOptions } from './message-record.js';

export interface MatchFields {
  /** HTML, even if the client asks for the content as text. */
  readonly match_content: string;
  readonly match_subject: string;
}

/** The fields of a message with the matches of a search marked; nothing is marked without a search. */
export function matchFields(
  message: MessageDocument,
  search: Search | null,
  { allowEmptyTopicName }: Pick<MessageRecordOptions, 'allowEmptyTopicName'>,
): MatchFields {
  const topic = message.type === 'channel' ? message.topic : '';
  const isNamed = topic === '' && message.type === 'channel' && !allowEmptyTopicName;
  const subject = escapeHtml(isNamed ? EMPTY_TOPIC_DISPLAY_NAME : topic);
  const content = message.rendered ?? '';
  if (search === null) return { match_content: content, match_subject: subject };
  return {
    match_content: highlighted(content, search, message.language),
    // The display name of the empty topic was not written by users: matches in it do not count.
    match_subject: isNamed ? subject : highlighted(subject, search, message.language),
  };
}
