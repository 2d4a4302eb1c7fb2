import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { Query } from '../../../platform/kernel/query.js';
import { answersFrom } from '../../../platform/read-models/answers-from.js';
import { channelInSight } from './channel-in-sight.js';

/** @throws DomainError INVALID_CHANNEL_NAME, also if the reader may not know of the channel */
export class GetChannelId extends Query<{ reader: UserRecord; name: string }, number> {}

/**
 * The mail address that posts to a channel. Empty: the server receives no mail.
 *
 * @throws DomainError INVALID_CHANNEL_ID
 */
export class GetChannelEmailAddress extends Query<{ channelId: number; reader: UserRecord }, string> {}

/** @throws DomainError INVALID_CHANNEL_ID */
export class GetSubscribers extends Query<{ channelId: number; reader: UserRecord }, readonly number[]> {}

/** @throws DomainError USER_NOT_FOUND, PRINCIPAL_DEACTIVATED, INVALID_CHANNEL_ID */
export class GetSubscriptionStatus extends Query<{ userId: number; channelId: number; reader: UserRecord }, boolean> {}

export const channelQueries = [
  answersFrom(GetChannelId, Directory, ({ reader, name }, directory) => {
    const channel = directory.channelByName(name);
    if (!channel || !may(reader, { channel, to: 'see' }, directory)) return refuse('INVALID_CHANNEL_NAME', { name });
    return channel._id;
  }),
  answersFrom(GetChannelEmailAddress, Directory, ({ channelId, reader }, directory) => {
    channelInSight(channelId, reader, directory);
    return '';
  }),
  answersFrom(GetSubscribers, Directory, ({ channelId, reader }, directory) =>
    directory.subscriberIds(channelInSight(channelId, reader, directory)._id),
  ),
  answersFrom(GetSubscriptionStatus, Directory, ({ userId, channelId, reader }, directory) => {
    const user = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    if (!user.isActive) refuse('PRINCIPAL_DEACTIVATED');
    return directory.isSubscribed(userId, channelInSight(channelId, reader, directory)._id);
  }),
];
