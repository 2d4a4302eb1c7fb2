import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { Mentions } from '../../../../events/messages/messages.events.js';
import type { Position } from '../../../../platform/kernel/position.js';
import { foldCase } from '../../../../platform/kernel/text.js';

interface RevisionContent {
  /** null after the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
  readonly mentions?: Mentions;
}

/** Number of edits of a message. */
export const contentRevisionOf = ({ pastWords = [] }: MessageDocument): number => pastWords.length;

/** The content of a message at a revision; 0: as sent. */
export function contentAtRevision(message: MessageDocument, contentRevision: number): RevisionContent {
  return message.pastWords?.[contentRevision] ?? message;
}

/** A message without content: its place and its facts take little memory. */
export function withoutContent({ pastWords, ...message }: MessageDocument): MessageDocument {
  return { ...message, text: null, rendered: null };
}

/** A message as it was sent, without its later changes. */
export function asItWasSent(message: MessageDocument): MessageDocument {
  const original = withContentAtRevision(message, 0, message.sentPosition);
  const { pastWords, reactions, journey, sentTo, arrivedPosition, firstChannelId, between, ...sent } = original;
  return sent.type === 'channel' && sentTo ? { ...sent, ...sentTo, topicKey: foldCase(sentTo.topic) } : sent;
}

/** A message with its content at a revision. @param wordsPosition position in the log of that content */
export function withContentAtRevision(
  message: MessageDocument,
  contentRevision: number,
  wordsPosition: Position,
): MessageDocument {
  const { text, rendered, mentions } = contentAtRevision(message, contentRevision);
  const { mentions: _, callees, ...rest } = message;
  return { ...rest, text, rendered, ...(mentions && { mentions }), wordsPosition };
}
