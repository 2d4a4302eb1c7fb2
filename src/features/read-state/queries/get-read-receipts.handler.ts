import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../../projections/messages/messages.projection.js';
import { LISTS, personal } from '../../../../projections/personal/personal.projection.js';
import type { PersonalListsDocument } from '../../../../projections/personal/personal-lists.js';
import { chunkOf } from '../../../../projections/read-state/id-chunk.js';
import { FLAGS, type FlagDocument, readState } from '../../../../projections/read-state/read-state.projection.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Facts } from '../../../directory/facts.js';
import { mayRead } from '../../../directory/readable-messages.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import type { Position } from '../../../platform/kernel/position.js';
import { Query } from '../../../platform/kernel/query.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import { ReadState } from '../../message-flags/queries/read-state.js';
import { ReadStates } from '../../message-flags/services/read-states.js';
import { UserSettings } from '../../personal/services/user-settings.js';

/** The recipients of a message who have read it, as far as the asker may know. */
export class GetReadReceipts extends Query<{ asker: UserRecord; messageId: number }, readonly number[]> {}

/** Readers looked up at once. */
const PAGE = 200;

@QueryHandler(GetReadReceipts)
export class GetReadReceiptsHandler implements IQueryHandler<GetReadReceipts> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly settings: UserSettings,
  ) {}

  /** Ids of the readers, ascending. @throws DomainError READ_RECEIPTS_DISABLED, INVALID_MESSAGE */
  async execute({ asker, messageId }: GetReadReceipts): Promise<readonly number[]> {
    const { directory, readModels } = this.facts;
    const message = await readModels.collection<MessageDocument>(messages, MESSAGES).findOne({ _id: messageId });
    if (!message || !mayRead(asker, message, directory)) return refuse('INVALID_MESSAGE');
    if (!directory.setting('enable_read_receipts')) refuse('READ_RECEIPTS_DISABLED');
    await readModels.waitFor([readState, personal], directory.position);
    const recipients = this.recipientsOf(message);
    const readers: number[] = [];
    for (let at = 0; at < recipients.length; at += PAGE) {
      const page = recipients.slice(at, at + PAGE);
      const unmuted = await this.withoutMuted(asker, page);
      readers.push(...(await this.readAmong(unmuted, message)));
    }
    return readers;
  }

  private recipientsOf(message: MessageDocument): UserRecord[] {
    const { directory } = this.facts;
    const ids =
      message.type === 'direct'
        ? message.participants
        : this.receiversIn(message.firstChannelId ?? message.channelId, message.sentPosition);
    return [...ids]
      .sort((a, b) => a - b)
      .flatMap((id) => directory.user(id) ?? [])
      .filter(({ _id, isActive }) => isActive && _id !== message.senderId)
      .filter(({ _id }) => this.settings.value(_id, 'send_read_receipts'));
  }

  /** Subscribers of the channel at the time of the send, whether or not they still are. */
  private receiversIn(channelId: number, position: Position): number[] {
    const { directory } = this.facts;
    return [...directory.subscriptionsIn(channelId).keys()].filter((userId) =>
      directory.wasSubscribed(userId, channelId, position),
    );
  }

  /** Leaves out users who have muted the asker or are muted by the asker: neither learns what the other has read. */
  private async withoutMuted(asker: UserRecord, users: readonly UserRecord[]): Promise<UserRecord[]> {
    const ids = [asker._id, ...users.map(({ _id }) => _id)];
    const lists = await this.facts.readModels
      .collection<PersonalListsDocument>(personal, LISTS)
      .find({ _id: { $in: [...new Set(ids)] } });
    const mutedBy = new Map(lists.map(({ _id, mutedUsers }) => [_id, mutedUsers.map(({ userId }) => userId)]));
    const has = (one: number, muted: number): boolean => mutedBy.get(one)?.includes(muted) ?? false;
    return users.filter(({ _id }) => !has(asker._id, _id) && !has(_id, asker._id));
  }

  private async readAmong(users: readonly UserRecord[], message: MessageDocument): Promise<number[]> {
    const chunk = chunkOf(message._id);
    const ids = users.flatMap(({ _id }) => [`${_id}/all`, `${_id}/read/${chunk}`, `${_id}/unread/${chunk}`]);
    const found = await this.facts.readModels.collection<FlagDocument>(readState, FLAGS).find({ _id: { $in: ids } });
    const byUser = new Map<number, FlagDocument[]>();
    for (const document of found) byUser.set(document.userId, [...(byUser.get(document.userId) ?? []), document]);
    const mutes = await this.readStates.mutesOfAll(message.sentPosition);
    return users.flatMap((user) => {
      const state = ReadState.none(user._id)
        .with(byUser.get(user._id) ?? [])
        .withMutes(mutes(user._id));
      // Nothing is unread to a user who is not subscribed; that alone does not mean that the user has read it.
      const isSubscribed = message.type === 'direct' || this.facts.directory.isSubscribed(user._id, message.channelId);
      const own = new OwnFlags(user, state, this.facts.directory);
      const isRead = isSubscribed ? own.has('read', message) : state.isMarkedRead(message) === true;
      return isRead ? [user._id] : [];
    });
  }
}
