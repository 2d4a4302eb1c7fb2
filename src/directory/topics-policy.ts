import type { TopicsPolicy } from '../events/channels/channels.settings.js';
import type { Directory } from './directory.js';
import type { ChannelRecord } from './directory.records.js';

/** The channel's topics policy; the organization's if the channel inherits it. */
export const topicsPolicyOf = (
  { topicsPolicy }: Pick<ChannelRecord, 'topicsPolicy'>,
  directory: Directory,
): Exclude<TopicsPolicy, 'inherit'> => (topicsPolicy === 'inherit' ? directory.setting('topics_policy') : topicsPolicy);
