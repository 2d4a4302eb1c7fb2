import type { DraftEdited, DraftHead, DraftRecipient } from '../../../events/drafts/drafts.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { assertRoom, type DraftsState, draftIn, hashOf, sizeOf } from './drafts.state.js';
import { type DraftFacts, readDraft, type WrittenDraft } from './written-draft.js';

/** Replaces a draft. */
export class EditDraft extends Command<{ userId: number; draftId: number; draft: WrittenDraft }> {}

export interface EditDraftFacts extends DraftFacts {
  readonly keyId: string;
}

export const decideEditDraft: Decide<EditDraft, DraftsState, DraftEdited, EditDraftFacts> = (
  { userId, draftId, draft },
  state,
  facts,
) => {
  if (!state.isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const known = draftIn(state, draftId) ?? refuse('DRAFT_NOT_FOUND');
  const { keyId: previousKeyId, wordsSha256, recipient, editedAt } = known;
  const { words, ...to } = readDraft(draft, userId, facts);
  const from = { recipient, editedAt };
  if (wordsSha256 === hashOf(words) && isSame(from, to)) return [];
  assertRoom(state, sizeOf(to, words) - known.size);
  return [{ type: 'DraftEdited', data: { userId, draftId, keyId: facts.keyId, previousKeyId, from, to, words } }];
};

const isSame = (a: DraftHead, b: DraftHead): boolean =>
  a.editedAt === b.editedAt && nameOf(a.recipient) === nameOf(b.recipient);

function nameOf(recipient: DraftRecipient): string {
  switch (recipient.type) {
    case 'unaddressed':
      return recipient.type;
    case 'channel':
      return `${recipient.type} ${recipient.channelId}`;
    case 'direct':
      return `${recipient.type} ${recipient.userIds.join()}`;
  }
}
