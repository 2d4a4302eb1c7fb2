import type { Refusal } from './refusal.js';

const bad = (message: string) => ({ status: 400, code: 'BAD_REQUEST', message }) as const;

/** What becomes of a message after it is sent: edits, deletion, reactions. */
export const messageLifeRefusals = {
  NOTHING_TO_EDIT: bad('Nothing to change'),
  PROPAGATE_WITHOUT_TOPIC: bad('Invalid propagate_mode without topic edit'),
  EDITING_TURNED_OFF: bad('Your organization has turned off message editing'),
  MAY_NOT_EDIT_MESSAGE: bad("You don't have permission to edit this message"),
  MESSAGE_EDIT_TOO_LATE: bad('The time limit for editing this message has past'),
  MESSAGE_EDITED_TOO_OFTEN: bad('This message has been edited too often'),
  MESSAGE_EDITED_MEANWHILE: {
    status: 400,
    code: 'EXPECTATION_MISMATCH',
    message: "'prev_content_sha256' value does not match the expected value.",
  },
  EDIT_HISTORY_TURNED_OFF: bad('Message edit history is disabled in this organization'),
  MAY_NOT_DELETE_MESSAGE: bad("You don't have permission to delete this message"),
  MESSAGE_DELETE_TOO_LATE: bad('The time limit for deleting this message has passed'),
  EMOJI_MISSING: bad('At least one of the following arguments must be present: emoji_name, emoji_code'),
  EMOJI_UNKNOWN: bad("Emoji '{name}' does not exist"),
  EMOJI_CODE_INVALID: bad('Invalid emoji code'),
  EMOJI_NAME_INVALID: bad('Invalid emoji name'),
  REACTION_ALREADY_EXISTS: { status: 400, code: 'REACTION_ALREADY_EXISTS', message: 'Reaction already exists.' },
  REACTION_DOES_NOT_EXIST: { status: 400, code: 'REACTION_DOES_NOT_EXIST', message: "Reaction doesn't exist." },
} as const satisfies Record<string, Refusal>;
