import {
  DRAFTS,
  type DraftDocument,
  type DraftsOwnerDocument,
  draftDocumentId,
  drafts,
  OWNERS,
} from '../../../../projections/drafts/drafts.projection.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { readAtOnePosition } from '../../../platform/read-models/read-at-one-position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';

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

/** All of a user's drafts at one position. */
export interface DraftsOfUser {
  /** The last edited first. */
  readonly drafts: readonly DraftForClients[];
  /** The position that the drafts are as of. */
  readonly position: Position;
}

/**
 * All of a user's drafts at one position, which is `at` or later.
 * @throws UnavailableError, DocumentStoreUnavailable
 */
export async function draftsOf(userId: number, readModels: ReadModels, at: Position = START): Promise<DraftsOfUser> {
  const documents = readModels.collection<DraftDocument>(drafts, DRAFTS);
  const owners = readModels.collection<DraftsOwnerDocument>(drafts, OWNERS);
  const { found, position } = await readAtOnePosition(readModels, drafts, at, async () => ({
    found: await documents.find({ userId }, { sort: { editedAt: -1, draftId: -1 } }),
    changedAt: (await owners.findOne({ _id: userId }))?.position ?? START,
  }));
  return { drafts: found.map(draftForClients), position };
}

/**
 * The existing drafts among the ids, by id.
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
  const content = { topic, content: text, timestamp: Math.floor(editedAt / 1000) };
  switch (recipient.type) {
    case 'unaddressed':
      return { id: draftId, type: '', to: [], ...content };
    case 'channel':
      return { id: draftId, type: 'stream', to: [recipient.channelId], ...content };
    case 'direct':
      return { id: draftId, type: 'private', to: recipient.userIds, ...content };
  }
}
