import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import { type PartSize, sizeOfTexts } from '../../../../platform/kernel/byte-budget.js';
import { MOST_MARKS } from '../../../narrow/domain/highlight.js';
import { shownContents } from './edit-history.js';

/** Sizes in JSON, in bytes: fields of every record, a reaction, a participant, a message's moves (few have many), a mark. */
const FIELDS = 1_000;
const REACTION = 150;
const PARTICIPANT = 300;
const MOVES = 4_000;
const MARK = 35;

/** Estimates the size of a message's matches in an answer. */
export const matchSize = ({ text, rendered }: MessageDocument): PartSize =>
  sizeOfTexts((bytesOf) => FIELDS + bytesOf(rendered ?? '') + marksIn(text));

const marksIn = (text: string | null): number => Math.min(MOST_MARKS, (text ?? '').length / 2) * MARK;

/**
 * Estimates the size of a message's record in an answer, whether its content is sent as HTML or as text.
 *
 * @param isSearched whether the record repeats the content with the matches of a search
 */
export const recordSize = (message: MessageDocument, isSearched: boolean): PartSize =>
  sizeOfTexts((bytesOf) => recordBytes(message, isSearched, bytesOf));

function recordBytes(message: MessageDocument, isSearched: boolean, bytesOf: (text: string) => number): number {
  const { text, rendered, reactions = [], journey } = message;
  const html = bytesOf(rendered ?? '');
  const content = Math.max(html, bytesOf(text ?? ''));
  let past = 0;
  for (const { text: was, rendered: wasRendered } of shownContents(message.pastWords ?? []))
    past += FIELDS + bytesOf(was ?? '') + bytesOf(wasRendered ?? '');
  return (
    FIELDS +
    content +
    (isSearched ? html + marksIn(text) : 0) +
    past +
    reactions.length * REACTION +
    (message.type === 'direct' ? message.participants.length * PARTICIPANT : 0) +
    (journey === undefined ? 0 : MOVES)
  );
}
