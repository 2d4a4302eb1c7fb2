import { IsOptional, IsString } from 'class-validator';
import {
  CHANNEL_PERMISSIONS,
  retention,
  type TopicsPolicy,
  topicsPolicy,
} from '../../../events/channels/channels.settings.js';
import { updatesOf } from '../../../events/shared/group-setting.js';
import { sentOf } from '../../../events/shared/settings.js';
import { Sendable, settingsOf } from '../../../platform/http/parameters/parameter-decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import { retentionDays } from '../domain/channel-options.js';
import type { ChannelChanges } from '../domain/update-channel.js';

export class UpdateChannelParameters extends settingsOf(updatesOf(CHANNEL_PERMISSIONS)) {
  @IsOptional()
  @IsString()
  readonly new_name?: string;

  @IsOptional()
  @IsString()
  readonly description?: string;

  @Sendable(flag)
  readonly is_private?: boolean;

  @Sendable(flag)
  readonly is_web_public?: boolean;

  @Sendable(flag)
  readonly history_public_to_subscribers?: boolean;

  @Sendable(flag)
  readonly is_default_stream?: boolean;

  /** Only false, which unarchives the channel, is accepted. */
  @Sendable(flag)
  readonly is_archived?: boolean;

  @Sendable(retention)
  readonly message_retention_days?: string | number;

  @Sendable(topicsPolicy)
  readonly topics_policy?: TopicsPolicy;
}

/** @throws DomainError RETENTION_INVALID */
export function channelChanges(parameters: UpdateChannelParameters): ChannelChanges {
  const { message_retention_days: days } = parameters;
  return {
    name: parameters.new_name,
    description: parameters.description,
    inviteOnly: parameters.is_private,
    webPublic: parameters.is_web_public,
    historyPublicToSubscribers: parameters.history_public_to_subscribers,
    isDefault: parameters.is_default_stream,
    isArchived: parameters.is_archived,
    messageRetentionDays: days === undefined ? undefined : retentionDays(days),
    topicsPolicy: parameters.topics_policy,
    permissions: sentOf(CHANNEL_PERMISSIONS, parameters),
  };
}
