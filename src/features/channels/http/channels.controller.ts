import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsOptional, IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import {
  CHANNEL_PERMISSIONS,
  retention,
  type TopicsPolicy,
  topicsPolicy,
} from '../../../events/channels/channels.settings.js';
import { updatesOf } from '../../../events/shared/group-setting.js';
import { sentOf } from '../../../events/shared/settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  AreIds,
  IsId,
  JsonOrNull,
  JsonText,
  OptionalText,
  Sendable,
  settingsOf,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';
import { retentionDays } from '../domain/channel-options.js';
import { CreateChannel } from '../domain/create-channel.js';
import { ArchiveChannel, type ChannelChanges, UpdateChannel } from '../domain/update-channel.js';
import {
  GetChannel,
  GetChannelEmailAddress,
  GetChannelId,
  GetChannels,
  type ListedChannel,
} from '../queries/channels.queries.js';
import type { ChannelForClients } from '../queries/channels-for-clients.js';
import { ChannelOptionsParameters, channelOptions } from './channel-options.parameters.js';

class CreateChannelParameters extends ChannelOptionsParameters {
  @IsString() readonly name!: string;
  @OptionalText() readonly description: string = '';
  @JsonText() @AreIds() readonly subscribers!: readonly number[];
}

class GetChannelIdParameters {
  @IsString() readonly stream!: string;
}

class GetChannelsParameters {
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

const requestedChannels = (parameters: GetChannelsParameters): GetChannels['include'] => ({
  public: parameters.include_public,
  subscribed: parameters.include_subscribed,
  readable: parameters.include_can_access_content,
  default: parameters.include_default,
  ownerSubscribed: parameters.include_owner_subscribed,
  all: parameters.include_all,
  allAsAdministrator: parameters.include_all_active,
  archived: !parameters.exclude_archived,
});

class UpdateChannelParameters extends settingsOf(updatesOf(CHANNEL_PERMISSIONS)) {
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
function channelChanges(parameters: UpdateChannelParameters): ChannelChanges {
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

@Controller()
export class ChannelsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get('streams')
  async list(
    @Caller() { user }: Caller,
    @Parameters() parameters: GetChannelsParameters,
  ): Promise<{ streams: readonly ListedChannel[] }> {
    return {
      streams: await this.dispatch.ask(new GetChannels({ reader: user, include: requestedChannels(parameters) })),
    };
  }

  @Get('streams/:stream_id')
  async one(
    @Caller() { user }: Caller,
    @PathId('stream_id') channelId: number,
  ): Promise<{ stream: ChannelForClients }> {
    return { stream: await this.dispatch.ask(new GetChannel({ reader: user, channelId })) };
  }

  @Get('streams/:stream_id/email_address')
  async emailAddress(@Caller() { user }: Caller, @PathId('stream_id') channelId: number): Promise<{ email: string }> {
    return { email: await this.dispatch.ask(new GetChannelEmailAddress({ reader: user, channelId })) };
  }

  @Get('get_stream_id')
  async id(
    @Caller() { user }: Caller,
    @Parameters() { stream }: GetChannelIdParameters,
  ): Promise<{ stream_id: number }> {
    return { stream_id: await this.dispatch.ask(new GetChannelId({ reader: user, name: stream })) };
  }

  @Post('channels/create')
  async create(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: CreateChannelParameters,
  ): Promise<{ id: number }> {
    const { name, description, subscribers: subscriberIds } = parameters;
    const channel = { ...channelOptions(parameters), name, description, subscriberIds };
    return { id: await this.dispatch.do(new CreateChannel({ channel, creatorId: user._id, by })) };
  }

  @Patch('streams/:stream_id')
  async update(
    @Caller() { by }: Caller,
    @PathId('stream_id') channelId: number,
    @Parameters() parameters: UpdateChannelParameters,
  ): Promise<void> {
    await this.dispatch.do(new UpdateChannel({ channelId, changes: channelChanges(parameters), by }));
  }

  @Delete('streams/:stream_id')
  async archive(@Caller() { by }: Caller, @PathId('stream_id') channelId: number): Promise<void> {
    await this.dispatch.do(new ArchiveChannel({ channelId, by }));
  }
}
