import { Map as PersistentMap } from 'immutable';
import type { ChannelEvent } from '../../../events/channels/channels.events.js';
import type { ChannelPermissions, ChannelPrivacy, TopicsPolicy } from '../../../events/channels/channels.settings.js';
import type { Decider } from '../../../platform/kernel/deciding.js';
import { foldCase } from '../../../platform/kernel/fold-case.js';

/** An archived channel keeps its name and settings. */
export interface ChannelState extends ChannelPrivacy {
  readonly status: 'active' | 'archived';
  readonly name: string;
  readonly description: string;
  readonly topicsPolicy: TopicsPolicy;
  readonly messageRetentionDays: number | null;
  readonly permissions: ChannelPermissions;
}

export interface ChannelsState {
  readonly byId: PersistentMap<number, ChannelState>;
  /** Folded name → channel id. */
  readonly idByName: PersistentMap<string, number>;
  readonly lastId: number;
}

export const channels: Decider<ChannelsState, ChannelEvent> = {
  initialState: { byId: PersistentMap(), idByName: PersistentMap(), lastId: 0 },
  evolve: (state, event) => {
    const { channelId } = event.data;
    switch (event.type) {
      case 'ChannelCreated': {
        const { name, description, inviteOnly, historyPublicToSubscribers } = event.data;
        const { topicsPolicy, messageRetentionDays, permissions } = event.data;
        const privacy = { inviteOnly, historyPublicToSubscribers };
        const channel = { name, description, ...privacy, topicsPolicy, messageRetentionDays, permissions };
        return {
          byId: state.byId.set(channelId, { status: 'active', ...channel }),
          idByName: state.idByName.set(foldCase(name), channelId),
          lastId: Math.max(state.lastId, channelId),
        };
      }
      case 'ChannelRenamed': {
        const { from, to } = event.data;
        const idByName = state.idByName.delete(foldCase(from)).set(foldCase(to), channelId);
        return { ...altered(state, channelId, { name: to }), idByName };
      }
      case 'ChannelDescriptionChanged':
        return altered(state, channelId, { description: event.data.to });
      case 'ChannelPrivacyChanged':
        return altered(state, channelId, event.data.to);
      case 'ChannelPermissionChanged': {
        const { setting, to } = event.data;
        const before = state.byId.get(channelId)?.permissions;
        return before ? altered(state, channelId, { permissions: { ...before, [setting]: to } }) : state;
      }
      case 'ChannelTopicsPolicyChanged':
        return altered(state, channelId, { topicsPolicy: event.data.to });
      case 'ChannelRetentionChanged':
        return altered(state, channelId, { messageRetentionDays: event.data.to });
      case 'ChannelArchived':
        return altered(state, channelId, { status: 'archived' });
      case 'ChannelUnarchived':
        return altered(state, channelId, { status: 'active' });
      default:
        event satisfies never;
        return state;
    }
  },
};

function altered(state: ChannelsState, channelId: number, change: Partial<ChannelState>): ChannelsState {
  const before = state.byId.get(channelId);
  return before ? { ...state, byId: state.byId.set(channelId, { ...before, ...change }) } : state;
}
