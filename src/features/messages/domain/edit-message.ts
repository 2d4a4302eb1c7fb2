import type { MessageEdited, Placed } from '../../../events/messages/message.events.js';
import type { PropagateMode } from '../../../events/messages/topics.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';
import type { ContentFacts } from '../../markdown/content-facts.js';
import { contentSize, type MessageState, placed } from './message.state.js';
import { contentOf, isEmptyText, storedText } from './message-content.js';

/** Replaces content that was edited to nothing. */
const NO_CONTENT_LEFT = '(deleted)';

/** Time after the limit in which an edit still passes: its writer may have begun in time. */
const EDIT_GRACE_SECONDS = 20;

/**
 * Greatest size of all contents of a message, in UTF-16 units. They are kept together and written again with each
 * change: endless edits must not make them so large that others wait. Content of the greatest length can be edited
 * about a hundred times.
 */
const MOST_KEPT = 2_000_000;

export class EditMessage extends Command<
  {
    messageId: number;
    edit: {
      readonly content: string | null;
      /** Of the content that the caller has seen; null: not given. */
      readonly prevContentSha256: string | null;
      readonly propagateMode: PropagateMode;
      /** The same request moves the message next. */
      readonly moves: boolean;
    };
    editorId: number;
  },
  readonly object[]
> {}

/** Facts from other streams that an edit is decided on (D4). */
export interface EditMessageFacts extends Placed {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly isEditingAllowed: boolean;
  /** null: there is no limit. */
  readonly limitSeconds: number | null;
  readonly content: ContentFacts;
}

/** The rules of `PATCH /messages/{message_id}` for the content. */
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
  const stored = storedText(edit.content);
  const text = isEmptyText(stored) ? NO_CONTENT_LEFT : stored;
  if (sha256Of(text) === state.contentSha256) return [];
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
        ...(edit.moves && { moves: true }),
        content: {
          ...written,
          previousSha256: state.contentSha256,
          ...(state.attachmentIds.length > 0 && { previousAttachmentIds: state.attachmentIds }),
        },
      },
    },
  ];
};
