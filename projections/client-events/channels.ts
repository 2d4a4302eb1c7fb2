import type { ChannelEvent } from '../../src/channels/domain/channels.events.js';
import { seersOf } from '../../src/directory/channel-sight.js';
import { silent, type TellingRules } from './directory-rules.js';
import { entry } from './entries.js';
import { payloadOf } from './records.js';

export const channelTelling: TellingRules<ChannelEvent> = {
  ChannelCreated: async (event, after) => {
    const channel = after('channels', event.data.channelId);
    return [entry(event, 'stream/create', seersOf(channel), { channel: payloadOf(channel) })];
  },
  ChannelRenamed: silent,
  ChannelDescriptionChanged: silent,
  ChannelPrivacyChanged: silent,
  ChannelPermissionChanged: silent,
  ChannelTopicsPolicyChanged: silent,
  ChannelRetentionChanged: silent,
  ChannelArchived: silent,
  ChannelUnarchived: silent,
};
