import type { MessageContent, Recipient } from '../src/messages/domain/messages.events.js';

/** What a message's document says of its words as they are now; all of it follows from what the event holds. */
export interface WordsFields {
  /** What is written there, and its HTML; null once the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
}

/**
 * The same for words that were sent and for words that took the place of others.
 * @param _sentTo where the message was when it was sent
 */
export function wordsFields(content: MessageContent | null, _sentTo: Recipient): WordsFields {
  return { text: content?.text ?? null, rendered: content?.rendered ?? null };
}

/** A document with other words: nothing that told of the former ones is left. */
export function withWords<D extends WordsFields>(
  document: D,
  words: WordsFields,
): Omit<D, keyof WordsFields> & WordsFields {
  const { text, rendered, ...rest } = document;
  return { ...rest, ...words };
}
