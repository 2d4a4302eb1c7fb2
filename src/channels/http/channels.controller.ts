import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { ChannelForClients } from '../../directory/records-for-clients.js';
import { Caller } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { GetChannelId } from '../queries/get-channel-id.handler.js';
import { GetChannels } from '../queries/get-channels.handler.js';
import { GetChannelIdParameters } from './get-channel-id.parameters.js';
import { GetChannelsParameters } from './get-channels.parameters.js';

@Controller()
export class ChannelsController {
  constructor(private readonly queries: QueryBus) {}

  @Get('streams')
  async list(
    @Caller() { user }: Caller,
    @Parameters(GetChannelsParameters) parameters: GetChannelsParameters,
  ): Promise<{ streams: readonly ChannelForClients[] }> {
    const include = {
      public: parameters.include_public,
      subscribed: parameters.include_subscribed,
      all: parameters.include_all || parameters.include_all_active,
      archived: !parameters.exclude_archived,
    };
    return { streams: await this.queries.execute(new GetChannels(user, include)) };
  }

  @Get('get_stream_id')
  async id(
    @Caller() { user }: Caller,
    @Parameters(GetChannelIdParameters) { stream }: GetChannelIdParameters,
  ): Promise<{ stream_id: number }> {
    return { stream_id: await this.queries.execute(new GetChannelId(user, stream)) };
  }
}
