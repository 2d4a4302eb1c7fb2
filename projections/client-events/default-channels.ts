import type { DefaultChannelAdded, DefaultChannelRemoved } from '../../src/organization/domain/organization.events.js';
import type { TellingRule } from './directory-rules.js';
import { ALL_BUT_GUESTS, told } from './entries.js';

/** The whole list, once the event had happened. Guests are told of no default channels. */
export const defaultChannels: TellingRule<DefaultChannelAdded | DefaultChannelRemoved> = (event, after) => {
  const { defaultChannelIds } = after('organization', 'organization');
  return [told(event, 'default_streams', ALL_BUT_GUESTS, { default_streams: defaultChannelIds })];
};
