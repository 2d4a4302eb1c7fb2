import { IsOptional } from 'class-validator';
import {
  CHANNEL_PERMISSIONS,
  retention,
  type TopicsPolicy,
  topicsPolicy,
} from '../../../events/channels/channels.settings.js';
import { sentOf } from '../../../events/shared/settings.js';
import { IsId, JsonOrNull, Sendable, settingsOf } from '../../../platform/http/parameters/parameter-decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import { type ChannelOptions, retentionDays } from '../domain/channel-options.js';

class PlainChannelOptions {
  @Sendable(flag) readonly invite_only: boolean = false;
  @Sendable(flag) readonly is_web_public: boolean = false;
  @Sendable(flag) readonly is_default_stream: boolean = false;

  /** Absent: true for public channels, false for private ones. */
  @Sendable(flag) readonly history_public_to_subscribers?: boolean;

  @Sendable(retention) readonly message_retention_days: string | number = 'realm_default';
  @Sendable(topicsPolicy) readonly topics_policy: TopicsPolicy = 'inherit';

  /** null: in no folder. */
  @JsonOrNull() @IsOptional() @IsId() readonly folder_id: number | null = null;
}

/** Options of new channels, for every endpoint that creates channels. */
export class ChannelOptionsParameters extends settingsOf(CHANNEL_PERMISSIONS, PlainChannelOptions) {}

/** @throws DomainError RETENTION_LIMITED, RETENTION_INVALID */
export function channelOptions(parameters: ChannelOptionsParameters): ChannelOptions {
  return {
    inviteOnly: parameters.invite_only,
    historyPublicToSubscribers: parameters.history_public_to_subscribers ?? null,
    webPublic: parameters.is_web_public,
    isDefault: parameters.is_default_stream,
    topicsPolicy: parameters.topics_policy,
    folderId: parameters.folder_id,
    messageRetentionDays: retentionDays(parameters.message_retention_days),
    permissions: sentOf(CHANNEL_PERMISSIONS, parameters),
  };
}
