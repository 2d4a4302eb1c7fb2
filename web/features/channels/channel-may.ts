import { isGiven, isGivenEverywhere } from '../../platform/given.js';
import { isAdministrator, ROLES } from '../../platform/roles.js';
import { me } from '../../platform/session.js';
import { type Channel, type ChannelRight, isMine } from './all-channels.js';

/** What to offer of a channel to who is signed in, as `permissions.ts` of the server decides. */

const has = (channel: Channel, right: ChannelRight): boolean => isGiven('stream', right, channel);

const isGuest = (): boolean => me.value?.role === ROLES.guest;

const mayRead = (channel: Channel): boolean =>
  isMine(channel) ||
  (channel.invite_only ? has(channel, 'can_subscribe_group') || has(channel, 'can_add_subscribers_group') : !isGuest());

export const mayJoin = (channel: Channel): boolean => !isGuest() && mayRead(channel);

export const mayAdminister = (channel: Channel): boolean =>
  (me.value !== null && isAdministrator(me.value)) || has(channel, 'can_administer_channel_group');

export const mayAdd = (channel: Channel): boolean =>
  mayJoin(channel) &&
  (has(channel, 'can_add_subscribers_group') ||
    isGivenEverywhere('can_add_subscribers_group') ||
    mayAdminister(channel));

export const mayRemove = (channel: Channel): boolean =>
  mayAdminister(channel) || (mayRead(channel) && has(channel, 'can_remove_subscribers_group'));
