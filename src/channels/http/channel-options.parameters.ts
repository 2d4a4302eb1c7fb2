import { GroupSetting } from '../../http/parameters/group-setting.decorators.js';
import type { GroupSettingValue } from '../../kernel/group-setting.js';
import { CHANNEL_PERMISSION_NAMES, type ChannelOptions, retentionDays } from '../domain/channel-options.js';
import type { TopicsPolicy } from '../domain/channels.settings.js';
import { Flag, Policy, Retention } from './channel-parameter.decorators.js';

/** How new channels are to be: for every endpoint that creates some. */
export class ChannelOptionsParameters {
  @Flag()
  readonly invite_only: boolean = false;

  @Flag()
  readonly is_web_public: boolean = false;

  @Flag()
  readonly is_default_stream: boolean = false;

  /** Absent: true for public channels, false for private ones. */
  @Flag()
  readonly history_public_to_subscribers?: boolean;

  @Retention()
  readonly message_retention_days: string | number = 'realm_default';

  @Policy()
  readonly topics_policy: TopicsPolicy = 'inherit';

  @GroupSetting()
  readonly can_add_subscribers_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_administer_channel_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_delete_any_message_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_delete_own_message_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_move_messages_out_of_channel_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_move_messages_within_channel_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_remove_subscribers_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_resolve_topics_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_send_message_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_subscribe_group?: GroupSettingValue;
}

/** @throws DomainError RETENTION_INVALID */
export function channelOptions(parameters: ChannelOptionsParameters): ChannelOptions {
  const said = CHANNEL_PERMISSION_NAMES.flatMap((name) => {
    const value = parameters[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    inviteOnly: parameters.invite_only,
    historyPublicToSubscribers: parameters.history_public_to_subscribers ?? null,
    webPublic: parameters.is_web_public,
    isDefault: parameters.is_default_stream,
    topicsPolicy: parameters.topics_policy,
    messageRetentionDays: retentionDays(parameters.message_retention_days),
    permissions: Object.fromEntries(said),
  };
}
