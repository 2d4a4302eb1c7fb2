import type { Settings } from '../../platform/client-events.js';
import { on, type SettingGroup } from '../../platform/setting-rows.js';

/** The settings that this page or the server obeys; others are for other clients. */
export const OWN_SETTINGS: readonly SettingGroup<keyof Settings>[] = [
  {
    id: 'looks',
    title: 'Reading and writing',
    rows: [
      {
        kind: 'choice',
        name: 'color_scheme',
        words: 'Colours',
        choices: [
          [1, 'as the device'],
          [2, 'dark'],
          [3, 'light'],
        ],
      },
      on('enter_sends', 'Enter sends what you write. Without it, Enter breaks the line, and Ctrl and Enter sends'),
      on('twenty_four_hour_time', 'Times with 24 hours: 15:00 instead of 3:00 PM'),
      on('enable_drafts_synchronization', 'Drafts are kept by the server. Without it, those that it has are deleted'),
    ],
  },
  {
    id: 'others',
    title: 'What others are told, and you of them',
    rows: [
      on('presence_enabled', 'Others see when you are online'),
      on('send_private_typing_notifications', 'Others see that you write a direct message'),
      on('send_stream_typing_notifications', 'Others see that you write to a channel'),
      on('receives_typing_notifications', 'You see who is writing'),
      on('send_read_receipts', 'Others see which messages you have read'),
    ],
  },
  {
    id: 'notifications',
    title: 'Notifications of your devices',
    rows: [
      on('enable_offline_push_notifications', 'Of direct messages and mentions'),
      on('enable_followed_topic_push_notifications', 'Of topics that you follow'),
      on('enable_stream_push_notifications', 'Of all messages in channels that have no setting of their own'),
      on('enable_online_push_notifications', 'Also while you are active at a client'),
      on('wildcard_mentions_notify', 'A mention of all counts as one of you'),
    ],
  },
];
