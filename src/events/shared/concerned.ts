import type { Concerned, ConcernedTopic } from '../../platform/kernel/concerned.js';
import type { GroupSettingValue } from './group-setting.js';

/** The events of one account alone. */
export const concernsUser = ({ data }: { readonly data: { readonly userId: number } }): Concerned => ({
  userIds: [data.userId],
});

export const concernsChannel = ({ data }: { readonly data: { readonly channelId: number } }): Concerned => ({
  channelIds: [data.channelId],
});

/** The event names no user, no channel and no message. */
export const concernsNobody = (): Concerned => ({});

type Addressees =
  | { readonly type: 'channel'; readonly channelId: number; readonly topic?: string }
  | { readonly type: 'direct'; readonly userIds: readonly number[] }
  | { readonly type: 'unaddressed' };

/** The topic, the channel or the users that words are addressed to. */
export function concernedAddressees(addressees: Addressees): Concerned {
  switch (addressees.type) {
    case 'channel': {
      const { channelId, topic } = addressees;
      return topic === undefined ? { channelIds: [channelId] } : { topics: [{ channelId, topic }] };
    }
    case 'direct':
      return { userIds: addressees.userIds };
    case 'unaddressed':
      return {};
  }
}

/** The users that permissions name. */
export const usersNamedIn = (...values: readonly GroupSettingValue[]): readonly number[] =>
  values.flatMap((value) => (typeof value === 'number' ? [] : value.direct_members));

/** Everything that any of the parts concerns. */
export function concernedTogether(...parts: readonly Concerned[]): Concerned {
  const all = <T>(of: (part: Concerned) => readonly T[] | undefined): readonly T[] =>
    parts.flatMap((part) => of(part) ?? []);
  return {
    userIds: all<number>(({ userIds }) => userIds),
    channelIds: all<number>(({ channelIds }) => channelIds),
    topics: all<ConcernedTopic>(({ topics }) => topics),
    messageIds: all<number>(({ messageIds }) => messageIds),
  };
}
