import type { DraftCreated } from '../../../events/drafts/drafts.events.js';
import { Command, type Decide, refuse } from '../../../platform/kernel/deciding.js';
import { assertRoom, type DraftsState, sizeOf } from './drafts.state.js';
import { type DraftFacts, readDraft, type WrittenDraft } from './written-draft.js';

/** Greatest number of drafts of a user: the state of a registration has all of them. */
export const MOST_DRAFTS = 1000;
/**
 * Greatest size of the drafts created together, in bytes as JSON: they are appended together, which has its limit.
 */
const MOST_BYTES_AT_ONCE = 512 * 1024;

export class CreateDrafts extends Command<{ userId: number; drafts: readonly WrittenDraft[] }, readonly number[]> {}

export interface CreateDraftsFacts extends DraftFacts {
  /** A new key id for each draft. */
  readonly keyId: (index: number) => string;
}

export const decideCreateDrafts: Decide<CreateDrafts, DraftsState, DraftCreated, CreateDraftsFacts> = (
  { userId, drafts },
  state,
  facts,
) => {
  const { byId, lastId, isSynchronized } = state;
  if (!isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const read = drafts.map((draft) => readDraft(draft, userId, facts));
  if (byId.size + read.length > MOST_DRAFTS) refuse('TOO_MANY_DRAFTS', { limit: MOST_DRAFTS });
  const size = read.reduce((sum, draft) => sum + sizeOf(draft, draft.words), 0);
  if (size > MOST_BYTES_AT_ONCE) refuse('TOO_MUCH_IN_DRAFTS');
  assertRoom(state, size);
  const ids = read.map((_, index) => lastId + 1 + index);
  return read.map(({ recipient, editedAt, words }, index) => ({
    type: 'DraftCreated',
    data: {
      userId,
      draftId: lastId + 1 + index,
      keyId: facts.keyId(index),
      recipient,
      editedAt,
      ...(index === ids.length - 1 && { createdIds: ids }),
      words,
    },
  }));
};
