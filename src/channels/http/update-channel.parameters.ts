import { IsOptional, IsString } from 'class-validator';
import { GroupSettingChange } from '../../http/parameters/group-setting.decorators.js';
import type { GroupSettingUpdate } from '../../kernel/group-setting-rules.js';
import { CHANNEL_PERMISSION_NAMES, retentionDays } from '../domain/channel-options.js';
import type { TopicsPolicy } from '../domain/channels.settings.js';
import type { ChannelChanges } from '../domain/update-channel.js';
import { Flag, Policy, Retention } from './channel-parameter.decorators.js';

export class UpdateChannelParameters {
  @IsOptional()
  @IsString()
  readonly new_name?: string;

  @IsOptional()
  @IsString()
  readonly description?: string;

  @Flag()
  readonly is_private?: boolean;

  @Flag()
  readonly is_web_public?: boolean;

  @Flag()
  readonly history_public_to_subscribers?: boolean;

  @Flag()
  readonly is_default_stream?: boolean;

  /** Only false, which brings an archived channel back. */
  @Flag()
  readonly is_archived?: boolean;

  @Retention()
  readonly message_retention_days?: string | number;

  @Policy()
  readonly topics_policy?: TopicsPolicy;

  @GroupSettingChange()
  readonly can_add_subscribers_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_administer_channel_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_delete_any_message_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_delete_own_message_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_move_messages_out_of_channel_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_move_messages_within_channel_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_remove_subscribers_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_resolve_topics_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_send_message_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_subscribe_group?: GroupSettingUpdate;
}

/** @throws DomainError RETENTION_INVALID */
export function channelChanges(parameters: UpdateChannelParameters): ChannelChanges {
  const { message_retention_days: retention } = parameters;
  const updates = CHANNEL_PERMISSION_NAMES.flatMap((name) => {
    const update = parameters[name];
    return update === undefined ? [] : [[name, update] as const];
  });
  return {
    name: parameters.new_name,
    description: parameters.description,
    inviteOnly: parameters.is_private,
    webPublic: parameters.is_web_public,
    historyPublicToSubscribers: parameters.history_public_to_subscribers,
    isDefault: parameters.is_default_stream,
    isArchived: parameters.is_archived,
    messageRetentionDays: retention === undefined ? undefined : retentionDays(retention),
    topicsPolicy: parameters.topics_policy,
    permissions: Object.fromEntries(updates),
  };
}
