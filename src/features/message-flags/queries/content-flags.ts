import type { MessageDocument } from '../../../../projections/messages/messages.projection.js';
import type { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { Position } from '../../../platform/kernel/position.js';
import { type AlertWordHistory, alertWordsAt } from '../../personal/services/alert-words.js';
import { hasOneOf } from '../domain/alert-words.js';

/** The content of a message, and its position in the log. */
type FlaggedContent = Pick<MessageDocument, 'text' | 'mentions' | 'sentPosition' | 'wordsPosition'>;

type ContentFlag =
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  /** Deprecated: set if either of the two before is. */
  | 'wildcard_mentioned'
  | 'has_alert_word';

/** The flags for mentions and alert words of a reader who received the message, as of when it was written (D9). */
export function contentFlags(
  reader: UserRecord,
  content: FlaggedContent,
  alertWords: AlertWordHistory,
  directory: Directory,
): ContentFlag[] {
  const flags: ContentFlag[] = mentionFlags(reader, content, directory);
  if (hasAlertWord(content, alertWords)) flags.push('has_alert_word');
  return flags;
}

export function mentionFlags(reader: UserRecord, content: FlaggedContent, directory: Directory): ContentFlag[] {
  const { mentions } = content;
  if (!mentions) return [];
  const { userIds, groupIds = [], wildcards = [], participantIds } = mentions;
  const at = contentPosition(content);
  const isMentioned =
    userIds?.includes(reader._id) || groupIds.some((id) => directory.wasInGroupAfter(reader._id, id, at));
  const isOfAll = wildcards.includes('stream');
  const isOfTopic = participantIds?.includes(reader._id) ?? false;
  return [
    ...(isMentioned ? (['mentioned'] as const) : []),
    ...(isOfAll ? (['stream_wildcard_mentioned'] as const) : []),
    ...(isOfTopic ? (['topic_wildcard_mentioned'] as const) : []),
    ...(isOfAll || isOfTopic ? (['wildcard_mentioned'] as const) : []),
  ];
}

export function hasAlertWord(content: FlaggedContent, alertWords: AlertWordHistory): boolean {
  if (alertWords.length === 0 || content.text === null) return false;
  return hasOneOf(alertWordsAt(alertWords, contentPosition(content)), content.text);
}

const contentPosition = ({ sentPosition, wordsPosition = sentPosition }: FlaggedContent): Position => wordsPosition;
