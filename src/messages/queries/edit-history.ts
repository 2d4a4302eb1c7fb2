import type { MessageDocument } from '../../../projections/messages.projection.js';
import type { RealmSettings } from '../../organization/domain/realm.settings.js';

export type HistoryPolicy = RealmSettings['message_edit_history_visibility_policy'];

/** api-coverage §1.1: an entry of a message record's `edit_history`. */
export interface EditHistoryEntry {
  readonly user_id: number | null;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly prev_content?: string;
  readonly prev_rendered_content?: string;
}

export interface EditsForClients {
  readonly last_edit_timestamp?: number;
  readonly edit_history?: readonly EditHistoryEntry[];
}

/** What a message record tells of its edits; the words that were, newest first, where everybody may see them. */
export function editsForClients({ pastWords = [] }: MessageDocument, policy: HistoryPolicy): EditsForClients {
  const last = pastWords.at(-1);
  if (!last) return {};
  const edited = { last_edit_timestamp: seconds(last.editedAt) };
  if (policy !== 'all') return edited;
  const history = pastWords.map(({ editorId, editedAt, text, rendered }) => ({
    user_id: editorId,
    timestamp: seconds(editedAt),
    prev_content: text ?? '',
    prev_rendered_content: rendered ?? '',
  }));
  return { ...edited, edit_history: history.reverse() };
}

export const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000);
