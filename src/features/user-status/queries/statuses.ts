import {
  STATUS,
  type UserStatus,
  type UserStatusDocument,
  userStatuses,
} from '../../../../projections/user-statuses/user-statuses.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import type { ReactionType } from '../../../events/messages/message.events.js';
import { userSetting } from '../../../events/personal/user.settings.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { readAtOnePosition } from '../../../platform/read-models/read-at-one-position.js';
import type { ReadModels } from '../../../platform/read-models/read-models.js';
import { itemId, type OwnerDocument } from '../../../platform/read-models/user-list.js';

/** Statuses that are read at once. */
const PAGE = 1000;

/** The published fields of a status; those that are not set are left out. */
export interface StatusForClients {
  readonly away?: true;
  readonly status_text?: string;
  readonly emoji_name?: string;
  readonly emoji_code?: string;
  readonly reaction_type?: ReactionType;
}

export const emojiForClients = ({ emojiName, emojiCode, reactionType }: NonNullable<UserStatus['emoji']>) => ({
  emoji_name: emojiName,
  emoji_code: emojiCode,
  reaction_type: reactionType,
});

export const statusForClients = (user: UserRecord | undefined, status: UserStatus | undefined): StatusForClients => ({
  ...(user && isAway(user) && { away: true }),
  ...(status?.text && { status_text: status.text }),
  ...(status?.emoji && emojiForClients(status.emoji)),
});

export const isAway = ({ bot, settings }: UserRecord): boolean =>
  bot === null && !userSetting(settings, 'presence_enabled');

/** The statuses of these users, by user. @throws UnavailableError, DocumentStoreUnavailable */
export async function statusesOf(
  userIds: readonly number[],
  readModels: ReadModels,
): Promise<ReadonlyMap<number, UserStatus>> {
  const _id = { $in: [...new Set(userIds)].map((userId) => itemId(userId, STATUS)) };
  const found = await statusesIn(readModels).find({ _id });
  return new Map(found.map((status) => [status.userId, status]));
}

/** The statuses of all users at one position, which is `at` or later. @throws UnavailableError, DocumentStoreUnavailable */
export function allStatuses(readModels: ReadModels, at: Position) {
  const owners = readModels.collection<OwnerDocument>(userStatuses, userStatuses.owners);
  return readAtOnePosition(readModels, userStatuses, at, async () => {
    const found: UserStatusDocument[] = [];
    for (let more = true; more; ) {
      const last = found.at(-1)?._id;
      const filter = last === undefined ? {} : { _id: { $gt: last } };
      const page = await statusesIn(readModels).find(filter, { sort: { _id: 1 }, limit: PAGE });
      found.push(...page);
      more = page.length === PAGE;
    }
    const [newest] = await owners.find({}, { sort: { position: -1 }, limit: 1 });
    return { found, changedAt: newest?.position ?? START };
  });
}

const statusesIn = (readModels: ReadModels) =>
  readModels.collection<UserStatusDocument>(userStatuses, userStatuses.items);
