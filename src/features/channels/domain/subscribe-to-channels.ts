import { Command } from '../../../platform/kernel/command.js';
import type { CommandContext } from '../../../platform/kernel/command-context.js';
import { refuse } from '../../../platform/kernel/domain-error.js';
import { foldCase } from '../../../platform/kernel/fold-case.js';
import { type Principal, requirePrincipals } from './named-principals.js';

export interface NamedChannel {
  readonly name: string;
  readonly description: string;
  /** In which the subscribers are to have it; null: they say nothing of it. */
  readonly color: string | null;
}

export interface SubscribeResult {
  readonly subscribed: ChannelNamesByUser;
  readonly already_subscribed: ChannelNamesByUser;
  readonly unauthorized?: readonly string[];
}

/** Channel names by user id. */
export type ChannelNamesByUser = Readonly<Record<string, readonly string[]>>;

/** Subscribes users to channels by name, creating those that do not exist. */
export class SubscribeToChannels<Options extends object = object> extends Command<SubscribeResult> {
  constructor(
    readonly request: {
      readonly channels: readonly NamedChannel[];
      /** By id or address; null: the caller. */
      readonly principals: readonly (number | string)[] | null;
      /** Whether one channel out of reach refuses the whole request. */
      readonly authorizationErrorsFatal: boolean;
      /** How those are to be that are created. */
      readonly options: Options;
    },
    readonly callerId: number,
    readonly by: CommandContext,
  ) {
    super();
  }
}

/** A channel that there is, and what the caller may do in it. */
export interface ChannelInReach {
  readonly id: number;
  /** Or is in it, and has nothing to join. */
  readonly mayJoin: boolean;
  readonly mayAddOthers: boolean;
}

export interface SubscribeFacts {
  /** In the order named; null where there is no such account. */
  readonly principals: readonly (Principal | null)[];
  readonly channel: (name: string) => ChannelInReach | null;
}

export interface SubscriptionPlan {
  readonly userIds: readonly number[];
  readonly existing: readonly (NamedChannel & { readonly id: number })[];
  readonly toCreate: readonly NamedChannel[];
  /** Names of channels out of the caller's reach. */
  readonly unauthorized: readonly string[];
}

/** Who is to be subscribed to what, before anything is written. */
export function planSubscriptions({ request, callerId }: SubscribeToChannels, facts: SubscribeFacts): SubscriptionPlan {
  if (request.channels.length === 0) refuse('NO_CHANNELS_GIVEN');
  const principals = requirePrincipals(request.principals, facts.principals, { id: callerId, isActive: true });
  const userIds = principals.map(({ id }) => id);

  const existing: (NamedChannel & { id: number })[] = [];
  const toCreate: NamedChannel[] = [];
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

/** What keeps the caller from subscribing these users to a channel that there is; null: nothing. */
export function objectionTo(
  { mayJoin, mayAddOthers }: Pick<ChannelInReach, 'mayJoin' | 'mayAddOthers'>,
  userIds: readonly number[],
  callerId: number,
): 'CHANNEL_OUT_OF_REACH' | 'NOT_AUTHORIZED' | null {
  if (!mayJoin) return 'CHANNEL_OUT_OF_REACH';
  return !mayAddOthers && userIds.some((userId) => userId !== callerId) ? 'NOT_AUTHORIZED' : null;
}

/** Names that differ in case are one channel: the first counts. */
function onceEach(channels: readonly NamedChannel[]): readonly NamedChannel[] {
  const byKey = new Map<string, NamedChannel>();
  for (const channel of channels) {
    const name = channel.name.trim();
    if (!byKey.has(foldCase(name))) byKey.set(foldCase(name), { ...channel, name });
  }
  return [...byKey.values()];
}
