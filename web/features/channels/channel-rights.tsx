import { RightsSection } from '../../platform/rights-section.js';
import { type PermissionRow, whoMay } from '../../platform/setting-rows.js';
import { permissionRules } from '../../platform/store.js';
import { type Channel, type ChannelRight, change } from './all-channels.js';
import { mayAdminister } from './channel-may.js';

const ROWS: readonly PermissionRow<ChannelRight>[] = [
  whoMay('can_administer_channel_group', 'Administer it'),
  whoMay('can_send_message_group', 'Write to it'),
  whoMay('can_subscribe_group', 'Join it, also if it is private'),
  whoMay('can_add_subscribers_group', 'Add people'),
  whoMay('can_remove_subscribers_group', 'Remove people'),
  whoMay('can_resolve_topics_group', 'Mark its topics as resolved'),
  whoMay('can_move_messages_within_channel_group', 'Move messages to another topic of it'),
  whoMay('can_move_messages_out_of_channel_group', 'Move messages to another channel'),
  whoMay('can_delete_own_message_group', 'Delete their own messages'),
  whoMay('can_delete_any_message_group', 'Delete all messages'),
];

/** Rights in a channel, besides those that the organization gives everywhere. */
export const ChannelRights = ({ channel }: { readonly channel: Channel }) => (
  <RightsSection
    title={channel.name}
    rows={ROWS}
    isReadOnly={!mayAdminister(channel)}
    rules={permissionRules.value.stream}
    read={(name) => channel[name]}
    change={(name, value) => change(channel, { [name]: value })}
  />
);
