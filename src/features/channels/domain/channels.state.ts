import { Map as PersistentMap } from 'immutable';
import type { ChannelFolderEvent } from '../../../events/channels/channel-folders.events.js';
import type { ChannelEvent } from '../../../events/channels/channels.events.js';
import type { ChannelPermissions, ChannelPrivacy, TopicsPolicy } from '../../../events/channels/channels.settings.js';
import { type Decider, refuse } from '../../../platform/kernel/deciding.js';
import { foldCase, isBlank } from '../../../platform/kernel/text.js';
import { type ChannelFolderState, foldersAfter } from './channel-folders.state.js';

/** An archived channel keeps its name and settings. */
export interface ChannelState extends ChannelPrivacy {
  readonly status: 'active' | 'archived';
  readonly name: string;
  readonly description: string;
  readonly topicsPolicy: TopicsPolicy;
  readonly messageRetentionDays: number | null;
  readonly folderId: number | null;
  readonly permissions: ChannelPermissions;
}

export interface ChannelsState {
  readonly byId: PersistentMap<number, ChannelState>;
  /** Folded name → channel id. */
  readonly idByName: PersistentMap<string, number>;
  readonly lastId: number;
  /** In order of display. Folders are never removed. */
  readonly folders: readonly ChannelFolderState[];
}

export type ChannelsEvent = ChannelEvent | ChannelFolderEvent;

export const channels: Decider<ChannelsState, ChannelsEvent> = {
  initialState: { byId: PersistentMap(), idByName: PersistentMap(), lastId: 0, folders: [] },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ChannelCreated': {
        const { channelId, name, description, inviteOnly, historyPublicToSubscribers } = event.data;
        const { topicsPolicy, messageRetentionDays, permissions, folderId } = event.data;
        const privacy = { inviteOnly, historyPublicToSubscribers };
        const channel = { name, description, ...privacy, topicsPolicy, messageRetentionDays, permissions, folderId };
        return {
          ...state,
          byId: state.byId.set(channelId, { status: 'active', ...channel }),
          idByName: state.idByName.set(foldCase(name), channelId),
          lastId: Math.max(state.lastId, channelId),
        };
      }
      case 'ChannelRenamed': {
        const { channelId, from, to } = event.data;
        const idByName = state.idByName.delete(foldCase(from)).set(foldCase(to), channelId);
        return { ...altered(state, channelId, { name: to }), idByName };
      }
      case 'ChannelDescriptionChanged':
        return altered(state, event.data.channelId, { description: event.data.to });
      case 'ChannelPrivacyChanged':
        return altered(state, event.data.channelId, event.data.to);
      case 'ChannelPermissionChanged': {
        const { channelId, setting, to } = event.data;
        const before = state.byId.get(channelId)?.permissions;
        return before ? altered(state, channelId, { permissions: { ...before, [setting]: to } }) : state;
      }
      case 'ChannelTopicsPolicyChanged':
        return altered(state, event.data.channelId, { topicsPolicy: event.data.to });
      case 'ChannelRetentionChanged':
        return altered(state, event.data.channelId, { messageRetentionDays: event.data.to });
      case 'ChannelPutInFolder':
        return altered(state, event.data.channelId, { folderId: event.data.to });
      case 'ChannelArchived':
        return altered(state, event.data.channelId, { status: 'archived' });
      case 'ChannelUnarchived':
        return altered(state, event.data.channelId, { status: 'active' });
      default:
        return { ...state, folders: foldersAfter(state.folders, event) };
    }
  },
};

function altered(state: ChannelsState, channelId: number, change: Partial<ChannelState>): ChannelsState {
  const before = state.byId.get(channelId);
  return before ? { ...state, byId: state.byId.set(channelId, { ...before, ...change }) } : state;
}

/** In Unicode code points; `max_stream_name_length` and `max_stream_description_length` of the register response. */
export const MAX_CHANNEL_NAME = 60;
export const MAX_CHANNEL_DESCRIPTION = 1024;

/** The name as stored. Refuses with CHANNEL_NAME_EMPTY, CHANNEL_NAME_TOO_LONG, CHANNEL_NAME_INVALID. */
export function channelName(said: string): string {
  const name = said.trim();
  if (isBlank(name)) refuse('CHANNEL_NAME_EMPTY');
  if ([...name].length > MAX_CHANNEL_NAME) refuse('CHANNEL_NAME_TOO_LONG', { limit: MAX_CHANNEL_NAME });
  if (/\p{Cc}|\p{Cn}/u.test(name)) refuse('CHANNEL_NAME_INVALID');
  return name;
}

/** The description as stored, on one line. Refuses with CHANNEL_DESCRIPTION_TOO_LONG. */
export function channelDescription(said: string): string {
  const description = said.replaceAll(/\r\n|[\r\n]/g, ' ');
  if ([...description].length > MAX_CHANNEL_DESCRIPTION)
    refuse('CHANNEL_DESCRIPTION_TOO_LONG', { limit: MAX_CHANNEL_DESCRIPTION });
  return description;
}
