import type { CommandContext } from '../../kernel/command-context.js';
import { refuse } from '../../kernel/domain-error.js';
import { type FlagsAdded, type FlagsRemoved, OWN_FLAGS, type OwnFlag, rangesOf } from './read-state.events.js';

export type FlagOperation = 'add' | 'remove';

/** Flags that the server alone gives (api.md, Message flags). */
const FIXED_FLAGS: readonly string[] = [
  'mentioned',
  'stream_wildcard_mentioned',
  'topic_wildcard_mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
];

/** So many messages are told of in one event. */
const MOST_IN_ONE = 5000;

/** Gives some messages a flag of the user's own, or takes it from them. */
export class ChangeFlags {
  constructor(
    readonly userId: number,
    readonly messageIds: readonly number[],
    readonly operation: FlagOperation,
    /** As the client names it. */
    readonly flag: string,
    readonly by: CommandContext,
  ) {}
}

/** What is known of a message that the user may read. */
export interface FlagFacts {
  readonly id: number;
  readonly isSet: boolean;
  /** null: a direct message. */
  readonly channelId: number | null;
  /** To its channel; of no meaning for a direct message. */
  readonly isSubscribed: boolean;
}

export interface FlagChanges {
  /** Newest messages first where there are several. */
  readonly events: readonly (FlagsAdded | FlagsRemoved)[];
  /** Ids of what changes, ascending. */
  readonly changed: readonly number[];
  /** Channels whose messages cannot be unread, since the user is not subscribed to them; ascending. */
  readonly ignoredChannelIds: readonly number[];
}

/** @throws DomainError INVALID_FLAG, FLAG_NOT_EDITABLE */
export function ownFlagNamed(flag: string): OwnFlag {
  if (FIXED_FLAGS.includes(flag)) refuse('FLAG_NOT_EDITABLE', { flag });
  return OWN_FLAGS.find((one) => one === flag) ?? refuse('INVALID_FLAG', { flag });
}

/** Facts that are reported: of messages whose flag is so already, nothing is said. */
export function decideChangeFlags(
  { userId, flag, operation }: { readonly userId: number; readonly flag: OwnFlag; readonly operation: FlagOperation },
  messages: readonly FlagFacts[],
): FlagChanges {
  const isAdded = operation === 'add';
  const marksUnread = flag === 'read' && !isAdded;
  const ignored = marksUnread ? messages.filter(isOutside) : [];
  const open = marksUnread ? messages.filter((message) => !isOutside(message)) : messages;
  const changed = open.flatMap(({ id, isSet }) => (isSet === isAdded ? [] : [id])).sort((a, b) => a - b);
  const type = isAdded ? 'FlagsAdded' : 'FlagsRemoved';
  const events: (FlagsAdded | FlagsRemoved)[] = [];
  for (let end = changed.length; end > 0; end -= MOST_IN_ONE)
    events.push({ type, data: { userId, flag, ranges: rangesOf(changed.slice(Math.max(0, end - MOST_IN_ONE), end)) } });
  const ignoredChannelIds = [...new Set(ignored.flatMap(({ channelId }) => channelId ?? []))].sort((a, b) => a - b);
  return { events, changed, ignoredChannelIds };
}

const isOutside = ({ channelId, isSubscribed }: FlagFacts): boolean => channelId !== null && !isSubscribed;
