import type { PastContent } from '../../../../../projections/messages/message-events.js';
import type { MessageDocument } from '../../../../../projections/messages/messages.projection.js';
import type { MessageMove, MoveHistoryDocument } from '../../../../../projections/messages/move-history.js';
import { topicForClients } from '../../../../events/messages/topic-name.js';
import type { RealmSettings } from '../../../../events/organization/realm.settings.js';
import { seconds } from '../../../../platform/kernel/durations.js';

type HistoryPolicy = RealmSettings['message_edit_history_visibility_policy'];

/** The fields of a move: the topics if the topic changed, the channels if the channel changed. */
export interface MoveForClients {
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

/** An entry of a message record's `edit_history`. */
interface EditHistoryEntry extends MoveForClients {
  readonly user_id: number | null;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
}

export interface EditsForClients {
  readonly last_edit_timestamp?: number;
  readonly last_moved_timestamp?: number;
  readonly edit_history?: readonly EditHistoryEntry[];
}

/** A change of a message's content or of its place. */
type MessageChange =
  /** @property revision of the content that the change replaced */
  | ContentChange
  | { readonly kind: 'move'; readonly move: MessageMove }
  /** Both by one request. */
  | (Omit<ContentChange, 'kind'> & { readonly kind: 'both'; readonly move: MessageMove });

interface ContentChange {
  readonly kind: 'content';
  readonly revision: number;
  readonly past: PastContent;
}

/** The changes that the policy shows, in the order of the log. */
export function changesOf(
  { _id, pastWords = [] }: MessageDocument,
  moves: readonly MessageMove[],
  policy: HistoryPolicy,
): MessageChange[] {
  if (policy === 'none') return [];
  const edits = policy === 'all' ? pastWords : [];
  const withEdit = new Map<number, MessageMove>();
  for (const move of moves) if (move.edit?.messageId === _id) withEdit.set(move.edit.contentRevision - 1, move);
  return [
    ...edits.map((past, revision): MessageChange => {
      const move = withEdit.get(revision);
      return move ? { kind: 'both', revision, past, move } : { kind: 'content', revision, past };
    }),
    ...moves
      .filter(({ edit }) => edit?.messageId !== _id || edits[edit.contentRevision - 1] === undefined)
      .map((move) => ({ kind: 'move', move }) as const),
  ].sort((a, b) => positionOf(a) - positionOf(b));
}

/** Limits of a record: all readers read records, few ask for histories. */
const MOST_ENTRIES = 100;
const MOST_PAST_CONTENT = 100_000;

/**
 * A record's fields about changes; `edit_history` is newest first, as far as the policy shows it. Holds only the newest
 * of many changes or of long contents, and only the moves that the message's newest move history holds: `GET
 * /messages/{message_id}/history` has all.
 */
export function editsForClients(
  message: MessageDocument,
  history: MoveHistoryDocument | undefined,
  policy: HistoryPolicy,
  allowEmptyTopicName: boolean,
): EditsForClients {
  const edit = message.pastWords?.at(-1);
  const { moves = [], movedAt } = history ?? {};
  const changes = newestFirst(changesOf(message, moves, policy));
  return {
    ...(edit ? { last_edit_timestamp: seconds(edit.editedAt) } : {}),
    ...(movedAt === undefined ? {} : { last_moved_timestamp: seconds(movedAt) }),
    ...(changes.length > 0 ? { edit_history: changes.map((change) => entryOf(change, allowEmptyTopicName)) } : {}),
  };
}

function newestFirst(changes: readonly MessageChange[]): MessageChange[] {
  let length = 0;
  const newest = changes.slice(-MOST_ENTRIES).reverse();
  const end = newest.findIndex((change, at) => {
    if (change.kind !== 'move') length += contentLength(change.past);
    return at > 0 && length > MOST_PAST_CONTENT;
  });
  return end < 0 ? newest : newest.slice(0, end);
}

/** The past contents that a record may hold, newest first. */
export function shownContents(pastWords: readonly PastContent[]): readonly PastContent[] {
  let length = 0;
  const newest = pastWords.slice(-MOST_ENTRIES).reverse();
  const end = newest.findIndex((past, at) => {
    length += contentLength(past);
    return at > 0 && length > MOST_PAST_CONTENT;
  });
  return end < 0 ? newest : newest.slice(0, end);
}

export const contentLength = ({ text, rendered }: Pick<PastContent, 'text' | 'rendered'>): number =>
  (text?.length ?? 0) + (rendered?.length ?? 0);

export function moveForClients({ from, to }: MessageMove, allowEmptyTopicName: boolean): MoveForClients {
  const shown = (topic: string): string => topicForClients(topic, allowEmptyTopicName);
  return {
    ...(from.topic === to.topic ? {} : { prev_topic: shown(from.topic), topic: shown(to.topic) }),
    ...(from.channelId === to.channelId ? {} : { prev_stream: from.channelId, stream: to.channelId }),
  };
}

const positionOf = (change: MessageChange): number =>
  change.kind === 'move' ? change.move.position : change.past.position;

function entryOf(change: MessageChange, allowEmptyTopicName: boolean): EditHistoryEntry {
  if (change.kind === 'move') {
    const { move } = change;
    return { user_id: move.moverId, timestamp: seconds(move.at), ...moveForClients(move, allowEmptyTopicName) };
  }
  const { editorId, editedAt, text, rendered } = change.past;
  return {
    user_id: editorId,
    timestamp: seconds(editedAt),
    prev_content: text ?? '',
    prev_rendered_content: rendered ?? '',
    ...(change.kind === 'both' && moveForClients(change.move, allowEmptyTopicName)),
  };
}
