import { Command, refuse } from '../../../platform/kernel/deciding.js';
import { type Principal, requirePrincipals } from './subscribe-to-channels.js';

/** Names of channels, once in each list. With several principals, a channel can be in both lists. */
export interface UnsubscribeResult {
  readonly removed: readonly string[];
  readonly not_removed: readonly string[];
}

/** Unsubscribes users from channels, by name. */
export class UnsubscribeFromChannels extends Command<
  {
    channelNames: readonly string[];
    /** Users to unsubscribe, by id or address; null for the caller. */
    principals: readonly (number | string)[] | null;
    callerId: number;
  },
  UnsubscribeResult
> {}

/** `isOwn` is true for the caller and for the caller's bots. */
type LeavingPrincipal = Principal & { readonly isOwn: boolean };

interface UnsubscribeFacts {
  /** In the order named; null for an unknown account. */
  readonly principals: readonly (LeavingPrincipal | null)[];
  /** Gives null if the caller sees no such channel. */
  readonly channel: (name: string) => { readonly id: number; readonly mayRemoveOthers: boolean } | null;
}

export interface UnsubscribePlan {
  readonly userIds: readonly number[];
  /** In the order named, once each. */
  readonly channelIds: readonly number[];
}

/** Plans `DELETE /users/me/subscriptions`; refuses if any part of it is not allowed. */
export function planUnsubscriptions(
  { channelNames, principals, callerId }: UnsubscribeFromChannels,
  facts: UnsubscribeFacts,
): UnsubscribePlan {
  const caller = { id: callerId, isActive: true, isOwn: true };
  const leaving = requirePrincipals(principals, facts.principals, caller);
  const channels = channelNames.map((named) => {
    const name = named.trim();
    return facts.channel(name) ?? refuse('STREAM_DOES_NOT_EXIST', { stream: name });
  });
  const removesOthers = leaving.some(({ isOwn }) => !isOwn);
  if (removesOthers && channels.some(({ mayRemoveOthers }) => !mayRemoveOthers)) refuse('NOT_AUTHORIZED');
  return { userIds: leaving.map(({ id }) => id), channelIds: [...new Set(channels.map(({ id }) => id))] };
}
