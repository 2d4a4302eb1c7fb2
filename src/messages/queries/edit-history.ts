import type { JourneyDocument, MessageMove } from '../../../projections/message-journeys.js';
import type { PastWords } from '../../../projections/message-life.js';
import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { RealmSettings } from '../../organization/domain/realm.settings.js';
import { topicForClients } from '../domain/topic-name.js';

export type HistoryPolicy = RealmSettings['message_edit_history_visibility_policy'];

/** What a change of place is told by, wherever it is told of: the topic where that changed, the channel where that did. */
export interface MoveForClients {
  readonly prev_topic?: string;
  readonly topic?: string;
  readonly prev_stream?: number;
  readonly stream?: number;
}

/** api-coverage §1.1: an entry of a message record's `edit_history`. */
export interface EditHistoryEntry extends MoveForClients {
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

/** What has become of a message's words or of its place. */
export type MessageChange =
  /** @property revision that the words were of which others took the place of */
  | { readonly kind: 'words'; readonly revision: number; readonly past: PastWords }
  | { readonly kind: 'move'; readonly move: MessageMove };

/** In the order of the log; those that the policy lets everybody see. */
export function changesOf(
  { pastWords = [] }: MessageDocument,
  moves: readonly MessageMove[],
  policy: HistoryPolicy,
): MessageChange[] {
  if (policy === 'none') return [];
  const edits = policy === 'all' ? pastWords : [];
  return [
    ...edits.map((past, revision) => ({ kind: 'words', revision, past }) as const),
    ...moves.map((move) => ({ kind: 'move', move }) as const),
  ].sort((a, b) => positionOf(a) - positionOf(b));
}

/** In a record, whatever a message has been through: pages of records are read by everybody, and histories by who asks. */
const MOST_ENTRIES = 100;
const MOST_PAST_WORDS = 100_000;

/**
 * What a message record tells of its changes; what was before, newest first, as far as everybody may see it. Of very many
 * changes, or of long words changed often, the newest, and of many moves those that its journey tells: `GET
 * /messages/{message_id}/history` has all.
 */
export function editsForClients(
  message: MessageDocument,
  journey: JourneyDocument | undefined,
  policy: HistoryPolicy,
  allowEmptyTopicName: boolean,
): EditsForClients {
  const edit = message.pastWords?.at(-1);
  const { moves = [], movedAt } = journey ?? {};
  const changes = newestFirst(changesOf(message, moves, policy));
  return {
    ...(edit ? { last_edit_timestamp: seconds(edit.editedAt) } : {}),
    ...(movedAt === undefined ? {} : { last_moved_timestamp: seconds(movedAt) }),
    ...(changes.length > 0 ? { edit_history: changes.map((one) => entryOf(one, allowEmptyTopicName)) } : {}),
  };
}

function newestFirst(changes: readonly MessageChange[]): MessageChange[] {
  let words = 0;
  const newest = changes.slice(-MOST_ENTRIES).reverse();
  const end = newest.findIndex((change, at) => {
    if (change.kind === 'words') words += contentLength(change.past);
    return at > 0 && words > MOST_PAST_WORDS;
  });
  return end < 0 ? newest : newest.slice(0, end);
}

const contentLength = ({ text, rendered }: PastWords): number => (text?.length ?? 0) + (rendered?.length ?? 0);

export function moveForClients({ from, to }: MessageMove, allowEmptyTopicName: boolean): MoveForClients {
  const shown = (topic: string): string => topicForClients(topic, allowEmptyTopicName);
  return {
    ...(from.topic === to.topic ? {} : { prev_topic: shown(from.topic), topic: shown(to.topic) }),
    ...(from.channelId === to.channelId ? {} : { prev_stream: from.channelId, stream: to.channelId }),
  };
}

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);

const positionOf = (change: MessageChange): number =>
  change.kind === 'words' ? change.past.position : change.move.position;

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
  };
}
