import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { ArchiveChannel } from '../domain/archive-channel.js';
import { CreateChannel } from '../domain/create-channel.js';
import { UpdateChannel } from '../domain/update-channel.js';
import { GetChannelEmailAddress, GetChannelId } from '../queries/channels.queries.js';
import type { ChannelForClients } from '../queries/channels-for-clients.js';
import { GetChannel } from '../queries/get-channel.handler.js';
import { GetChannels, type ListedChannel } from '../queries/get-channels.handler.js';
import { channelOptions } from './channel-options.parameters.js';
import {
  CreateChannelParameters,
  channelChanges,
  GetChannelIdParameters,
  GetChannelsParameters,
  requestedChannels,
  UpdateChannelParameters,
} from './channels.parameters.js';

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
