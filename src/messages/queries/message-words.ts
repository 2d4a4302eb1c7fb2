import type { MessageDocument } from '../../../projections/messages.projection.js';
import { fold } from '../../kernel/fold.js';
import type { Position } from '../../kernel/position.js';
import type { Mentions } from '../domain/messages.events.js';

export interface Words {
  /** null once the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
  readonly mentions?: Mentions;
}

/** How often a message has been edited. */
export const contentRevisionOf = ({ pastWords = [] }: MessageDocument): number => pastWords.length;

/** What a message said at a revision: 0 is how it was sent. */
export function wordsOf(message: MessageDocument, contentRevision: number): Words {
  return message.pastWords?.[contentRevision] ?? message;
}

/** A message as it was before anything happened to it. */
export function asItWasSent(message: MessageDocument): MessageDocument {
  const original = withWordsOf(message, 0, message.sentPosition);
  const { pastWords, reactions, journey, sentTo, arrivedPosition, firstChannelId, between, ...sent } = original;
  return sent.type === 'channel' && sentTo ? { ...sent, ...sentTo, topicKey: fold(sentTo.topic) } : sent;
}

/** A message with the words that it had at a revision. @param wordsPosition where in the log they come from */
export function withWordsOf(
  message: MessageDocument,
  contentRevision: number,
  wordsPosition: Position,
): MessageDocument {
  const { text, rendered, mentions } = wordsOf(message, contentRevision);
  const { mentions: _, callees, ...rest } = message;
  return { ...rest, text, rendered, ...(mentions && { mentions }), wordsPosition };
}
