import type { Upcaster } from '../../kernel/event-definition.js';

/** Group ids as they were when version 1 was written: nobody, administrators, everyone. */
const NOBODY = 8;
const ADMINISTRATORS = 6;
const EVERYONE = 2;

/** Channels had no permissions of their own: what version 1 told clients they were. */
export const channelCreatedFrom1: Upcaster = (data) => ({
  ...data,
  topicsPolicy: 'inherit',
  messageRetentionDays: null,
  isDefault: false,
  permissions: {
    can_add_subscribers_group: NOBODY,
    can_administer_channel_group: NOBODY,
    can_delete_any_message_group: NOBODY,
    can_delete_own_message_group: NOBODY,
    can_move_messages_out_of_channel_group: NOBODY,
    can_move_messages_within_channel_group: NOBODY,
    can_remove_subscribers_group: ADMINISTRATORS,
    can_resolve_topics_group: NOBODY,
    can_send_message_group: EVERYONE,
    can_subscribe_group: NOBODY,
  },
});
