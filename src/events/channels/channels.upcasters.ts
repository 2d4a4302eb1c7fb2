import type { Upcaster } from '../../platform/kernel/event-definition.js';

/** Ids of system groups when version 1 was written. */
const NOBODY = 8;
const ADMINISTRATORS = 6;
const EVERYONE = 2;

/** Channels of version 1 had no permissions of their own: adds those that version 1 sent to clients. */
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

/** Channels of version 2 are in no folder. */
export const channelCreatedFrom2: Upcaster = (data) => ({ ...data, folderId: null });
