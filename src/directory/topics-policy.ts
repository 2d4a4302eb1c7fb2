import type { TopicsPolicy } from '../channels/domain/channels.settings.js';
import type { Directory } from './directory.js';
import type { ChannelRecord } from './directory.records.js';

/** Which topics a channel takes: as it says itself, or else the organisation. */
export const topicsPolicyOf = (
  { topicsPolicy }: Pick<ChannelRecord, 'topicsPolicy'>,
  directory: Directory,
): Exclude<TopicsPolicy, 'inherit'> => (topicsPolicy === 'inherit' ? directory.setting('topics_policy') : topicsPolicy);
