import {
  type DraftDocument,
  drafts,
  draftsAdd,
  draftsUpdate,
} from '../../../../projections/drafts/drafts.projection.js';
import { SYNCHRONIZATION } from '../../../events/drafts/drafts.events.js';
import { userSetting } from '../../../events/personal/user.settings.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemsOf } from '../../../platform/read-models/read-user-list.js';
import { itemEvents } from '../../event-queues/item-events.js';
import { listState } from '../../event-queues/list-state.js';

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

function forClients({ draftId, recipient, topic, text, editedAt }: DraftDocument): DraftForClients {
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

/** All of a user's drafts, the last edited last. The state of `register` has them the other way round. */
export class GetDrafts extends Query<{ userId: number }, readonly DraftForClients[]> {}

export const draftQueries = [
  answersFrom(GetDrafts, READ_MODELS, async ({ userId }, readModels: ReadModels) =>
    (await itemsOf(drafts, userId, readModels)).items.map(forClients).toReversed(),
  ),
];

export const DraftStateReader = listState({
  list: drafts,
  part: 'drafts',
  state: (items) => ({ drafts: items.map(forClients) }),
  // No client event tells of the deletion of drafts that are no longer synchronized.
  isKept: (user) => userSetting(user?.settings, SYNCHRONIZATION),
});

export const DraftClientEvents = itemEvents({
  list: drafts,
  kinds: [draftsAdd, draftsUpdate],
  ids: ({ draftIds }) => draftIds,
  idOf: ({ draftId }) => draftId,
  body: (kind, items) => {
    const found = items.map(forClients);
    if (kind === 'drafts/add') return { type: 'drafts', op: 'add', drafts: found };
    return { type: 'drafts', op: 'update', draft: found[0] };
  },
});
