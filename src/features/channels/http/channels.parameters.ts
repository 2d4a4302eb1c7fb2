import { IsOptional, IsString } from 'class-validator';
import {
  CHANNEL_PERMISSIONS,
  retention,
  type TopicsPolicy,
  topicsPolicy,
} from '../../../events/channels/channels.settings.js';
import { updatesOf } from '../../../events/shared/group-setting.js';
import { sentOf } from '../../../events/shared/settings.js';
import {
  AreIds,
  IsId,
  JsonOrNull,
  JsonText,
  OptionalText,
  Sendable,
  settingsOf,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import { retentionDays } from '../domain/channel-options.js';
import type { ChannelChanges } from '../domain/update-channel.js';
import type { GetChannels } from '../queries/get-channels.handler.js';
import { ChannelOptionsParameters } from './channel-options.parameters.js';

export class CreateChannelParameters extends ChannelOptionsParameters {
  @IsString() readonly name!: string;
  @OptionalText() readonly description: string = '';
  @JsonText() @AreIds() readonly subscribers!: readonly number[];
}

export class GetChannelIdParameters {
  @IsString() readonly stream!: string;
}

export class GetChannelsParameters {
  @Sendable(flag) readonly include_public: boolean = true;

  /** Adds nothing: no channel can be read without an account. */
  @Sendable(flag) readonly include_web_public: boolean = false;

  @Sendable(flag) readonly include_subscribed: boolean = true;
  @Sendable(flag) readonly exclude_archived: boolean = true;
  @Sendable(flag) readonly include_all: boolean = false;

  /** Older name of `include_all`, for administrators. */
  @Sendable(flag) readonly include_all_active: boolean = false;

  @Sendable(flag) readonly include_default: boolean = false;
  @Sendable(flag) readonly include_owner_subscribed: boolean = false;
  @Sendable(flag) readonly include_can_access_content: boolean = false;
}

export const requestedChannels = (parameters: GetChannelsParameters): GetChannels['include'] => ({
  public: parameters.include_public,
  subscribed: parameters.include_subscribed,
  readable: parameters.include_can_access_content,
  default: parameters.include_default,
  ownerSubscribed: parameters.include_owner_subscribed,
  all: parameters.include_all,
  allAsAdministrator: parameters.include_all_active,
  archived: !parameters.exclude_archived,
});

export class UpdateChannelParameters extends settingsOf(updatesOf(CHANNEL_PERMISSIONS)) {
  @OptionalText() readonly new_name?: string;
  @OptionalText() readonly description?: string;
  @Sendable(flag) readonly is_private?: boolean;
  @Sendable(flag) readonly is_web_public?: boolean;
  @Sendable(flag) readonly history_public_to_subscribers?: boolean;
  @Sendable(flag) readonly is_default_stream?: boolean;

  /** Only false, which unarchives the channel, is accepted. */
  @Sendable(flag) readonly is_archived?: boolean;

  @Sendable(retention) readonly message_retention_days?: string | number;
  @Sendable(topicsPolicy) readonly topics_policy?: TopicsPolicy;

  /** null takes the channel out of its folder. */
  @JsonOrNull() @IsOptional() @IsId() readonly folder_id?: number | null;
}

/** @throws DomainError RETENTION_LIMITED, RETENTION_INVALID */
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
    folderId: parameters.folder_id,
    permissions: sentOf(CHANNEL_PERMISSIONS, parameters),
  };
}
