import type { CommandContext } from '../../kernel/command-context.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { ROLES, type Role } from '../../kernel/role.js';

/** Subscribes users to channels by name, creating those that do not exist. */
export class SubscribeToChannels {
  constructor(
    readonly request: {
      readonly channels: readonly { readonly name: string; readonly description: string }[];
      /** By id or address; null: the caller. */
      readonly principals: readonly (number | string)[] | null;
      readonly inviteOnly: boolean;
      readonly historyPublicToSubscribers: boolean | null;
      /** Whether one channel out of reach refuses the whole request. */
      readonly authorizationErrorsFatal: boolean;
    },
    readonly callerId: number,
    readonly by: CommandContext,
  ) {}
}

export interface SubscribeToChannelsFacts {
  readonly callerRole: Role;
  /** In the order named; null where there is no such account. */
  readonly principals: readonly ({ readonly id: number; readonly isActive: boolean } | null)[];
  readonly channel: (name: string) => { readonly id: number; readonly mayJoin: boolean } | null;
}

export interface SubscriptionPlan {
  readonly userIds: readonly number[];
  readonly existing: readonly { readonly id: number; readonly name: string }[];
  readonly toCreate: readonly { readonly name: string; readonly description: string }[];
  /** Names of channels out of the caller's reach. */
  readonly unauthorized: readonly string[];
}

/** Who is to be subscribed to what, before anything is written. */
export function planSubscriptions(
  { request, callerId }: SubscribeToChannels,
  facts: SubscribeToChannelsFacts,
): SubscriptionPlan {
  if (request.channels.length === 0) refuse('NO_CHANNELS_GIVEN');
  const userIds =
    request.principals === null
      ? [callerId]
      : request.principals.map((named, index) => principal(named, facts.principals[index]));
  if (facts.callerRole === ROLES.guest && userIds.some((userId) => userId !== callerId)) refuse('NOT_AUTHORIZED');

  const seen = new Set<string>();
  const existing: { id: number; name: string }[] = [];
  const toCreate: { name: string; description: string }[] = [];
  const unauthorized: string[] = [];
  for (const { name, description } of request.channels) {
    const trimmed = name.trim();
    if (seen.has(fold(trimmed))) continue;
    seen.add(fold(trimmed));
    const channel = facts.channel(trimmed);
    if (!channel) toCreate.push({ name: trimmed, description });
    else if (channel.mayJoin) existing.push({ id: channel.id, name: trimmed });
    else unauthorized.push(trimmed);
  }
  const [first] = unauthorized;
  if (first !== undefined && request.authorizationErrorsFatal) refuse('CHANNEL_OUT_OF_REACH', { name: first });
  return { userIds: [...new Set(userIds)], existing, toCreate, unauthorized };
}

function principal(
  named: number | string,
  found: { readonly id: number; readonly isActive: boolean } | null | undefined,
): number {
  if (!found)
    return typeof named === 'number'
      ? refuse('INVALID_USER_ID', { userId: named })
      : refuse('INVALID_EMAIL', { email: named });
  if (!found.isActive) refuse('PRINCIPAL_DEACTIVATED');
  return found.id;
}
