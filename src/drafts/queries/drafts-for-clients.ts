import {
  DRAFTS,
  type DraftDocument,
  type DraftsOwnerDocument,
  draftDocumentId,
  drafts,
  OWNERS,
} from '../../../projections/drafts.projection.js';
import type { ReadModels } from '../../../projections/runner/read-models.js';
import { type Position, START } from '../../kernel/position.js';

/** The published fields of a draft. */
export interface DraftForClients {
  readonly id: number;
  readonly type: '' | 'stream' | 'private';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** All of a user's, at one moment. */
export interface DraftsOfUser {
  /** The last edited first. */
  readonly drafts: readonly DraftForClients[];
  /** As of which they were read. */
  readonly position: Position;
}

const MOST_READS = 5;

/**
 * As of a position that is `at` or later: what last changed any of them is read last, and where that had been applied
 * before anything was read, nothing came in between.
 *
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function draftsOf(userId: number, readModels: ReadModels, at: Position = START): Promise<DraftsOfUser> {
  await readModels.waitFor([drafts], at);
  let seen = START;
  for (let read = 1; ; read++) {
    const position = Math.max(seen, readModels.position(drafts));
    const found = await readModels
      .collection<DraftDocument>(drafts, DRAFTS)
      .find({ userId }, { sort: { editedAt: -1, draftId: -1 } });
    const owner = await readModels.collection<DraftsOwnerDocument>(drafts, OWNERS).findOne({ _id: userId });
    const changed = owner?.position ?? START;
    // Somebody who writes all the time is told of some drafts again: each event says what is so by then.
    if (changed <= position || read === MOST_READS) return { drafts: found.map(draftForClients), position };
    seen = changed;
  }
}

/**
 * Those that there are, by id.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function draftsById(
  userId: number,
  draftIds: readonly number[],
  readModels: ReadModels,
): Promise<ReadonlyMap<number, DraftForClients>> {
  if (draftIds.length === 0) return new Map();
  const _id = { $in: [...new Set(draftIds)].map((draftId) => draftDocumentId(userId, draftId)) };
  const found = await readModels.collection<DraftDocument>(drafts, DRAFTS).find({ _id });
  return new Map(found.map((draft) => [draft.draftId, draftForClients(draft)]));
}

function draftForClients({ draftId, recipient, topic, text, editedAt }: DraftDocument): DraftForClients {
  const said = { topic, content: text, timestamp: Math.floor(editedAt / 1000) };
  switch (recipient.type) {
    case 'unaddressed':
      return { id: draftId, type: '', to: [], ...said };
    case 'channel':
      return { id: draftId, type: 'stream', to: [recipient.channelId], ...said };
    case 'direct':
      return { id: draftId, type: 'private', to: recipient.userIds, ...said };
  }
}
