import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { PropagateMode } from '../../topics/domain/topics.events.js';
import type { ContentFacts } from './content-facts.js';
import type { MessageEdited, Placed } from './message.events.js';
import { contentSize, type MessageState, sha256 } from './message.state.js';
import { contentOf, storedText } from './message-content.js';
import { placed } from './placed.js';

/** Stands for words that somebody has edited away. */
const NO_WORDS_LEFT = '(deleted)';

/** How long after the limit an edit still passes: its writer may have begun in time. */
export const EDIT_GRACE_SECONDS = 20;

/**
 * All that was ever said in a message is kept with it, and written again with each change: who edits on and on must not
 * make it so large that others wait for that. Words of the greatest length can be edited about a hundred times.
 */
const MOST_KEPT = 2_000_000;

export class EditMessage {
  constructor(
    readonly messageId: number,
    readonly edit: {
      readonly content: string | null;
      /** Of what the caller has seen; null: they do not say. */
      readonly prevContentSha256: string | null;
      readonly propagateMode: PropagateMode;
    },
    readonly editorId: number,
    readonly by: CommandContext,
  ) {}
}

/** What is known of others when the message is edited (D4). */
export interface EditMessageFacts extends Placed {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isEditingAllowed: boolean;
  /** null: there is no limit. */
  readonly limitSeconds: number | null;
  readonly content: ContentFacts;
}

/** The rules of api.md, endpoint 2, for the words. */
export const decideEditMessage: Decide<EditMessage, MessageState, MessageEdited, EditMessageFacts> = (
  { edit, editorId, messageId },
  state,
  { now, isEditingAllowed, limitSeconds, content, ...where },
) => {
  if (state.status !== 'living' || state.contentSha256 === null) return refuse('INVALID_MESSAGE');
  if (edit.content === null) return refuse('NOTHING_TO_EDIT');
  if (edit.propagateMode !== 'change_one') refuse('PROPAGATE_WITHOUT_TOPIC');
  if (edit.prevContentSha256 !== null && edit.prevContentSha256.toLowerCase() !== state.contentSha256)
    refuse('MESSAGE_EDITED_MEANWHILE');
  if (!isEditingAllowed) refuse('EDITING_TURNED_OFF');
  if (state.senderId !== editorId) refuse('MAY_NOT_EDIT_MESSAGE');
  if (limitSeconds !== null && now - state.sentAt > (limitSeconds + EDIT_GRACE_SECONDS) * 1000)
    refuse('MESSAGE_EDIT_TOO_LATE');
  const text = storedText(edit.content).trim() === '' ? NO_WORDS_LEFT : storedText(edit.content);
  if (sha256(text) === state.contentSha256) return [];
  const written = contentOf(text, content);
  if (state.keptSize + contentSize(written) > MOST_KEPT) refuse('MESSAGE_EDITED_TOO_OFTEN');
  return [
    {
      type: 'MessageEdited',
      data: {
        messageId,
        ...placed(where),
        previousContentRevision: state.contentRevision,
        contentRevision: state.contentRevision + 1,
        content: {
          ...written,
          previousSha256: state.contentSha256,
          ...(state.attachmentIds.length > 0 && { previousAttachmentIds: state.attachmentIds }),
        },
      },
    },
  ];
};
