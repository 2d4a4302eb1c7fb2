import type { CommandContext } from '../../kernel/command-context.js';
import { refuse } from '../../kernel/domain-error.js';
import { type Principal, requirePrincipals } from './named-principals.js';

/** Takes users out of channels, by name. */
export class UnsubscribeFromChannels {
  constructor(
    readonly channelNames: readonly string[],
    /** By id or address; null: the caller. */
    readonly principals: readonly (number | string)[] | null,
    readonly callerId: number,
    readonly by: CommandContext,
  ) {}
}

/** `isOwn`: the caller, or a bot of theirs. */
export type LeavingPrincipal = Principal & { readonly isOwn: boolean };

export interface UnsubscribeFacts {
  /** In the order named; null where there is no such account. */
  readonly principals: readonly (LeavingPrincipal | null)[];
  /** null where the caller does not see such a channel. */
  readonly channel: (name: string) => { readonly id: number; readonly mayRemoveOthers: boolean } | null;
}

export interface UnsubscribePlan {
  readonly userIds: readonly number[];
  /** In the order named, once each. */
  readonly channelIds: readonly number[];
}

/** Who is to leave what, if all of it may be done (api.md, endpoint 9). */
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
