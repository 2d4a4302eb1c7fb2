import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import type { Position } from '../../kernel/position.js';
import { type AlertWordHistory, wordsAt } from '../../personal/queries/alert-words.js';
import { hasOneOf } from '../domain/alert-words.js';

/** The words of a message, and where in the log they come from. */
export type SaidWords = Pick<MessageDocument, 'text' | 'mentions' | 'sentPosition' | 'wordsPosition'>;

export type CallFlag =
  | 'mentioned'
  | 'stream_wildcard_mentioned'
  | 'topic_wildcard_mentioned'
  /** Deprecated: either of the two before. */
  | 'wildcard_mentioned'
  | 'has_alert_word';

/** By which words call somebody who got them (api.md, Message flags): as things were when they were written (D9). */
export function callFlags(
  reader: UserRecord,
  words: SaidWords,
  alertWords: AlertWordHistory,
  directory: Directory,
): CallFlag[] {
  const flags: CallFlag[] = mentionFlags(reader, words, directory);
  if (hasAlertWord(words, alertWords)) flags.push('has_alert_word');
  return flags;
}

export function mentionFlags(reader: UserRecord, words: SaidWords, directory: Directory): CallFlag[] {
  const { mentions } = words;
  if (!mentions) return [];
  const { userIds, groupIds = [], wildcards = [], participantIds } = mentions;
  const at = saidAt(words);
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

export function hasAlertWord(words: SaidWords, alertWords: AlertWordHistory): boolean {
  if (alertWords.length === 0 || words.text === null) return false;
  return hasOneOf(wordsAt(alertWords, saidAt(words)), words.text);
}

const saidAt = ({ sentPosition, wordsPosition = sentPosition }: SaidWords): Position => wordsPosition;
