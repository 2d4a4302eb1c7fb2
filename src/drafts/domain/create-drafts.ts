import type { CommandContext } from '../../kernel/command-context.js';
import type { Decide } from '../../kernel/decider.js';
import { refuse } from '../../kernel/domain-error.js';
import type { DraftCreated } from './drafts.events.js';
import type { DraftsState } from './drafts.state.js';
import { type DraftFacts, type ReadDraft, readDraft, type WrittenDraft } from './written-draft.js';

/** Of one user: all of them come with the state that a client registers with. */
export const MOST_DRAFTS = 1000;
/** Those that are created together are appended together, which has its limit: bytes of words as JSON. */
const MOST_BYTES_AT_ONCE = 512 * 1024;

export class CreateDrafts {
  constructor(
    readonly userId: number,
    readonly drafts: readonly WrittenDraft[],
    readonly by: CommandContext,
  ) {}
}

export interface CreateDraftsFacts extends DraftFacts {
  /** A new one for each draft. */
  readonly keyId: (index: number) => string;
}

export const decideCreateDrafts: Decide<CreateDrafts, DraftsState, DraftCreated, CreateDraftsFacts> = (
  { userId, drafts },
  { byId, lastId, isSynchronized },
  facts,
) => {
  if (!isSynchronized) refuse('DRAFTS_NOT_SYNCHRONIZED');
  const read = drafts.map((draft) => readDraft(draft, userId, facts));
  if (byId.size + read.length > MOST_DRAFTS) refuse('TOO_MANY_DRAFTS', { limit: MOST_DRAFTS });
  if (bytesOf(read) > MOST_BYTES_AT_ONCE) refuse('TOO_MUCH_IN_DRAFTS');
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

const bytesOf = (drafts: readonly ReadDraft[]): number =>
  drafts.reduce((sum, { words }) => sum + Buffer.byteLength(JSON.stringify(words)), 0);
