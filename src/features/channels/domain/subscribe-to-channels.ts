import { Command, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/text.js';

/** A user named in a request. */
export interface Principal {
  readonly id: number;
  readonly isActive: boolean;
}

/**
 * Finds the users of a request: the named users, once each, or the caller if none is named.
 * @param named ids or addresses; null if none is named
 * @param found accounts in the order of `named`; null for an unknown account
 */
export function requirePrincipals<P extends Principal>(
  named: readonly (number | string)[] | null,
  found: readonly (P | null)[],
  caller: P,
): readonly P[] {
  if (named === null) return [caller];
  const principals = named.map((name, index) => requirePrincipal(name, found[index]));
  return [...new Map(principals.map((principal) => [principal.id, principal])).values()];
}

function requirePrincipal<P extends Principal>(named: number | string, found: P | null | undefined): P {
  if (!found)
    return typeof named === 'number'
      ? refuse('INVALID_USER_ID', { userId: named })
      : refuse('INVALID_EMAIL', { email: named });
  if (!found.isActive) refuse('PRINCIPAL_DEACTIVATED');
  return found;
}

export interface WantedChannel {
  readonly name: string;
  readonly description: string;
  /** The color that the subscribers get for the channel; null if the request names none. */
  readonly color: string | null;
}

export interface SubscribeResult {
  readonly subscribed: ChannelNamesByUser;
  readonly already_subscribed: ChannelNamesByUser;
  readonly unauthorized?: readonly string[];
}

/** Channel names by user id. */
export type ChannelNamesByUser = Readonly<Record<string, readonly string[]>>;

/** Subscribes users to channels by name. Creates the channels that do not exist. */
export class SubscribeToChannels<Options extends object = object> extends Command<
  {
    request: {
      readonly channels: readonly WantedChannel[];
      /** Users to subscribe, by id or address; null for the caller. */
      readonly principals: readonly (number | string)[] | null;
      /** Whether one channel out of the caller's reach refuses the whole request. */
      readonly authorizationErrorsFatal: boolean;
      /** Options of the channels that are created. */
      readonly options: Options;
    };
    callerId: number;
  },
  SubscribeResult
> {}

/** An existing channel, and the caller's permissions in it. */
export interface ChannelInReach {
  readonly id: number;
  /** True for a subscriber, too. */
  readonly mayJoin: boolean;
  readonly mayAddOthers: boolean;
}

interface SubscribeFacts {
  /** In the order named; null for an unknown account. */
  readonly principals: readonly (Principal | null)[];
  readonly channel: (name: string) => ChannelInReach | null;
}

export interface SubscriptionPlan {
  readonly userIds: readonly number[];
  readonly existing: readonly (WantedChannel & { readonly id: number })[];
  readonly toCreate: readonly WantedChannel[];
  /** Names of channels out of the caller's reach. */
  readonly unauthorized: readonly string[];
}

/** Plans which users to subscribe to which channels. Refuses before anything is written. */
export function planSubscriptions({ request, callerId }: SubscribeToChannels, facts: SubscribeFacts): SubscriptionPlan {
  if (request.channels.length === 0) refuse('NO_CHANNELS_GIVEN');
  const principals = requirePrincipals(request.principals, facts.principals, { id: callerId, isActive: true });
  const userIds = principals.map(({ id }) => id);

  const existing: (WantedChannel & { id: number })[] = [];
  const toCreate: WantedChannel[] = [];
  const unauthorized: string[] = [];
  for (const named of onceEach(request.channels)) {
    const channel = facts.channel(named.name);
    const objection = channel && objectionTo(channel, userIds, callerId);
    if (!channel) toCreate.push(named);
    else if (!objection) existing.push({ ...named, id: channel.id });
    else if (request.authorizationErrorsFatal) refuse(objection, { name: named.name });
    else unauthorized.push(named.name);
  }
  return { userIds, existing, toCreate, unauthorized };
}

/** Finds the reason why the caller may not subscribe these users to an existing channel; null if the caller may. */
export function objectionTo(
  { mayJoin, mayAddOthers }: Pick<ChannelInReach, 'mayJoin' | 'mayAddOthers'>,
  userIds: readonly number[],
  callerId: number,
): 'CHANNEL_OUT_OF_REACH' | 'NOT_AUTHORIZED' | null {
  if (!mayJoin) return 'CHANNEL_OUT_OF_REACH';
  return !mayAddOthers && userIds.some((userId) => userId !== callerId) ? 'NOT_AUTHORIZED' : null;
}

/** Removes repeated channels. Names that differ only in case name the same channel; the first counts. */
function onceEach(channels: readonly WantedChannel[]): readonly WantedChannel[] {
  const byKey = new Map<string, WantedChannel>();
  for (const channel of channels) {
    const name = channel.name.trim();
    if (!byKey.has(foldCase(name))) byKey.set(foldCase(name), { ...channel, name });
  }
  return [...byKey.values()];
}
