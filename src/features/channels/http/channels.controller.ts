import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
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
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('streams')
  async list(
    @Caller() { user }: Caller,
    @Parameters(GetChannelsParameters) parameters: GetChannelsParameters,
  ): Promise<{ streams: readonly ListedChannel[] }> {
    return {
      streams: await this.queries.execute(new GetChannels({ reader: user, include: requestedChannels(parameters) })),
    };
  }

  @Get('streams/:stream_id')
  async one(
    @Caller() { user }: Caller,
    @PathId('stream_id') channelId: number,
  ): Promise<{ stream: ChannelForClients }> {
    return { stream: await this.queries.execute(new GetChannel({ reader: user, channelId })) };
  }

  @Get('streams/:stream_id/email_address')
  async emailAddress(@Caller() { user }: Caller, @PathId('stream_id') channelId: number): Promise<{ email: string }> {
    return { email: await this.queries.execute(new GetChannelEmailAddress({ reader: user, channelId })) };
  }

  @Get('get_stream_id')
  async id(
    @Caller() { user }: Caller,
    @Parameters(GetChannelIdParameters) { stream }: GetChannelIdParameters,
  ): Promise<{ stream_id: number }> {
    return { stream_id: await this.queries.execute(new GetChannelId({ reader: user, name: stream })) };
  }

  @Post('channels/create')
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateChannelParameters) parameters: CreateChannelParameters,
  ): Promise<{ id: number }> {
    const { name, description, subscribers: subscriberIds } = parameters;
    const channel = { ...channelOptions(parameters), name, description, subscriberIds };
    return {
      id: await this.commands.execute(
        new CreateChannel({ channel, creatorId: caller.user._id, by: commandContext(caller) }),
      ),
    };
  }

  @Patch('streams/:stream_id')
  async update(
    @Caller() caller: Caller,
    @PathId('stream_id') channelId: number,
    @Parameters(UpdateChannelParameters) parameters: UpdateChannelParameters,
  ): Promise<void> {
    await this.commands.execute(
      new UpdateChannel({ channelId, changes: channelChanges(parameters), by: commandContext(caller) }),
    );
  }

  @Delete('streams/:stream_id')
  async archive(@Caller() caller: Caller, @PathId('stream_id') channelId: number): Promise<void> {
    await this.commands.execute(new ArchiveChannel({ channelId, by: commandContext(caller) }));
  }
}
