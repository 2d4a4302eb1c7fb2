import type { components } from '../../platform/api-types.js';
import { on, type SettingGroup } from '../../platform/setting-rows.js';

export type OrganizationSetting = keyof components['schemas']['UpdateRealmParameters'];

const MINUTES = ['minutes', 60] as const;
const DAYS_OF_SECONDS = ['days', 86_400] as const;
const DAYS = ['days', 1] as const;

/** The settings of `PATCH /realm` that the server obeys. Others are for other clients, or await what it does not do. */
export const ORGANIZATION_SETTINGS: readonly SettingGroup<OrganizationSetting>[] = [
  {
    id: 'what',
    title: 'What it is',
    rows: [
      { kind: 'text', name: 'name', words: 'Name of the organization' },
      { kind: 'text', name: 'description', words: 'Description, in Markdown', hasLines: true },
    ],
  },
  {
    id: 'messages',
    title: 'Messages',
    rows: [
      on('allow_message_editing', 'People may edit their messages'),
      {
        kind: 'number',
        name: 'message_content_edit_limit_seconds',
        words: 'For how long they may',
        unit: MINUTES,
        mayBeUnlimited: true,
      },
      {
        kind: 'number',
        name: 'message_content_delete_limit_seconds',
        words: 'For how long people may delete their messages',
        unit: MINUTES,
        mayBeUnlimited: true,
      },
      {
        kind: 'number',
        name: 'move_messages_within_stream_limit_seconds',
        words: 'For how long messages may be moved to another topic',
        unit: DAYS_OF_SECONDS,
        mayBeUnlimited: true,
      },
      {
        kind: 'number',
        name: 'move_messages_between_streams_limit_seconds',
        words: 'For how long messages may be moved to another channel',
        unit: DAYS_OF_SECONDS,
        mayBeUnlimited: true,
      },
      {
        kind: 'choice',
        name: 'message_edit_history_visibility_policy',
        words: 'What people see of earlier versions of messages',
        choices: [
          ['all', 'everything'],
          ['moves', 'moves alone'],
          ['none', 'nothing'],
        ],
      },
      {
        kind: 'choice',
        name: 'topics_policy',
        words: 'Messages without a topic',
        choices: [
          ['allow_empty_topic', 'are allowed'],
          ['disable_empty_topic', 'are not allowed'],
        ],
      },
      on('enable_read_receipts', 'People see who has read a message'),
      on('inline_image_preview', 'Messages show the pictures that they link to'),
      { kind: 'text', name: 'default_code_block_language', words: 'Language of code blocks that name none' },
      { kind: 'channel', name: 'moderation_request_channel_id', words: 'Channel that reports of messages go to' },
    ],
  },
  {
    id: 'accounts',
    title: 'Accounts',
    rows: [
      on('name_changes_disabled', 'Administrators alone change names'),
      on('email_changes_disabled', 'Administrators alone change mail addresses'),
      on('avatar_changes_disabled', 'Administrators alone change pictures'),
      on('require_unique_names', 'No two accounts have the same name'),
      on('presence_disabled', 'Nobody sees who is online'),
      on('require_e2ee_push_notifications', 'Words go to devices only if they are encrypted to the device'),
      {
        kind: 'number',
        name: 'waiting_period_threshold',
        words: 'After how long a new member is a full member',
        unit: DAYS,
      },
      { kind: 'text', name: 'default_language', words: 'Language of new accounts, as a code: en, de' },
      {
        kind: 'text',
        name: 'welcome_message_custom_text',
        words: 'What the Welcome Bot adds for new people, in Markdown',
        hasLines: true,
      },
    ],
  },
];
