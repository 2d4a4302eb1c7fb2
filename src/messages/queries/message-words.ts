import type { MessageDocument } from '../../../projections/messages.projection.js';

export interface Words {
  /** null once the message's key has been destroyed. */
  readonly text: string | null;
  readonly rendered: string | null;
}

/** How often a message has been edited. */
export const contentRevisionOf = ({ pastWords = [] }: MessageDocument): number => pastWords.length;

/** What a message said at a revision: 0 is how it was sent. */
export function wordsOf(message: MessageDocument, contentRevision: number): Words {
  return message.pastWords?.[contentRevision] ?? message;
}

/** A message as it was before anything happened to it. */
export function asItWasSent(message: MessageDocument): MessageDocument {
  const { pastWords, reactions, ...sent } = message;
  return { ...sent, ...firstWords(message) };
}

function firstWords(message: MessageDocument): Words {
  const { text, rendered } = wordsOf(message, 0);
  return { text, rendered };
}
