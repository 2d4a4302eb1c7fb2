import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { MarkAllRead, MarkChannelRead } from '../domain/mark-read.js';
import { MarkChannelReadParameters, MarkTopicReadParameters } from './mark-read.parameters.js';

@Controller()
export class MarkReadController {
  constructor(private readonly commands: CommandBus) {}

  /** Always complete: one event marks any number of messages. */
  @Post('mark_all_as_read')
  async all(@Caller() caller: Caller): Promise<{ complete: boolean }> {
    await this.commands.execute(new MarkAllRead({ userId: caller.user._id, by: commandContext(caller) }));
    return { complete: true };
  }

  @Post('mark_stream_as_read')
  async channel(
    @Caller() caller: Caller,
    @Parameters(MarkChannelReadParameters) { stream_id }: MarkChannelReadParameters,
  ): Promise<void> {
    await this.commands.execute(
      new MarkChannelRead({ userId: caller.user._id, channelId: stream_id, topic: null, by: commandContext(caller) }),
    );
  }

  @Post('mark_topic_as_read')
  async topic(
    @Caller() caller: Caller,
    @Parameters(MarkTopicReadParameters) { stream_id, topic_name }: MarkTopicReadParameters,
  ): Promise<void> {
    await this.commands.execute(
      new MarkChannelRead({
        userId: caller.user._id,
        channelId: stream_id,
        topic: topic_name,
        by: commandContext(caller),
      }),
    );
  }
}
