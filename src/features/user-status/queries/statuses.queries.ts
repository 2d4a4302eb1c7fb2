import { Inject } from '@nestjs/common';
import { type ClientEventDocument, positionOf } from '../../../../projections/client-events/client-events.documents.js';
import {
  STATUS,
  statusUpdate,
  type UserStatus,
  type UserStatusDocument,
  type UserStatusPayload,
  userStatuses,
} from '../../../../projections/user-statuses/user-statuses.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import type { ReactionType } from '../../../events/messages/message.events.js';
import { userSetting } from '../../../events/personal/user.settings.js';
import { ObjectInTurns } from '../../../platform/kernel/in-turns.js';
import { type Position, START } from '../../../platform/kernel/position.js';
import { readAtOnePosition } from '../../../platform/read-models/read-at-one-position.js';
import { READ_MODELS, type ReadModels } from '../../../platform/read-models/read-models.js';
import { itemId, type OwnerDocument } from '../../../platform/read-models/user-list.js';
import { type ClientEventWriter, type WriteBody, WritesClientEvents } from '../../event-queues/client-event-writer.js';
import { ReadsState, type StateParts, type StateReader } from '../../event-queues/state-reader.js';

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

const emojiForClients = ({ emojiName, emojiCode, reactionType }: NonNullable<UserStatus['emoji']>) => ({
  emoji_name: emojiName,
  emoji_code: emojiCode,
  reaction_type: reactionType,
});

export const statusForClients = (user: UserRecord | undefined, status: UserStatus | undefined): StatusForClients => ({
  ...(user && isAway(user) && { away: true }),
  ...(status?.text && { status_text: status.text }),
  ...(status?.emoji && emojiForClients(status.emoji)),
});

const isAway = ({ bot, settings }: UserRecord): boolean => bot === null && !userSetting(settings, 'presence_enabled');

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
function allStatuses(readModels: ReadModels, at: Position) {
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

const PART = 'user_status';

/** The statuses of all users who have one, by user. */
@ReadsState()
export class UserStatusStateReader implements StateReader {
  constructor(private readonly facts: Facts) {}

  parts(): StateParts {
    const { directory, readModels } = this.facts;
    return {
      own: {
        part: PART,
        names: [PART],
        read: async (_names, at) => {
          const { found, position } = await allStatuses(readModels, at);
          const statuses = new Map(found.map((status) => [status.userId, status]));
          const away = directory.allUsers().filter(isAway);
          const ids = new Set([...statuses.keys(), ...away.map(({ _id }) => _id)]);
          // As they are at this position; records of the directory never change.
          const facts = [...ids]
            .sort((a, b) => a - b)
            .map((id) => [String(id), { user: directory.user(id), status: statuses.get(id) }] as const);
          return {
            state: { user_status: new ObjectInTurns(facts, ({ user, status }) => statusForClients(user, status)) },
            position: Math.min(position, directory.position),
          };
        },
      },
    };
  }
}

/** Tells statuses as they are when the client event is sent, which may be later than the event. */
@WritesClientEvents()
export class UserStatusClientEvents implements ClientEventWriter {
  readonly kinds = [statusUpdate];
  /** Everybody is told: the first reader's texts serve the others until a status changes. */
  private texts = new WeakMap<ClientEventDocument, string>();

  constructor(@Inject(READ_MODELS) private readonly readModels: ReadModels) {}

  async prepare(events: readonly ClientEventDocument[]): Promise<WriteBody> {
    const { texts } = this;
    const unwritten = events.filter(statusUpdate.is).filter((event) => !texts.has(event));
    if (unwritten.length > 0) {
      await this.readModels.waitFor([userStatuses], positionOf(unwritten.at(-1)?._id ?? 0));
      const ids = unwritten.map(({ payload }) => payload.userId);
      const found = await statusesOf(ids, this.readModels);
      for (const event of unwritten) texts.set(event, bodyOf(event.payload, found.get(event.payload.userId)));
    }
    return (event) => texts.get(event) ?? null;
  }

  forget(events: readonly ClientEventDocument[]): void {
    if (events.some(statusUpdate.is)) this.texts = new WeakMap();
  }
}

/** @param status undefined: none any more. It is told all the same: a later event may tell fewer of its parts. */
function bodyOf(payload: UserStatusPayload, status: UserStatus | undefined): string {
  const head = { type: 'user_status', user_id: payload.userId };
  if ('away' in payload) return JSON.stringify({ ...head, away: payload.away });
  const { text, emoji } = status ?? { text: '', emoji: null };
  return JSON.stringify({
    ...head,
    ...(payload.told.includes('text') && { status_text: text }),
    ...(payload.told.includes('emoji') && emojiForClients(emoji ?? NO_EMOJI)),
  });
}

const NO_EMOJI = { emojiName: '', emojiCode: '', reactionType: 'unicode_emoji' as const };
