import { Controller, Delete, Get, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Id } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { AddDefaultChannel, RemoveDefaultChannel } from '../domain/default-channels.js';
import { GetDefaultChannels } from '../queries/organization.queries.js';

class DefaultChannelParameters {
  @Id() readonly stream_id!: number;
}

@Controller('default_streams')
export class DefaultChannelsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ default_streams: readonly number[] }> {
    return { default_streams: await this.dispatch.ask(new GetDefaultChannels({ reader: user })) };
  }

  @Post()
  async add(@Caller() { user, by }: Caller, @Parameters() { stream_id }: DefaultChannelParameters): Promise<void> {
    await this.dispatch.do(new AddDefaultChannel({ channelId: stream_id, callerId: user._id, by }));
  }

  @Delete()
  async remove(@Caller() { user, by }: Caller, @Parameters() { stream_id }: DefaultChannelParameters): Promise<void> {
    await this.dispatch.do(new RemoveDefaultChannel({ channelId: stream_id, callerId: user._id, by }));
  }
}
