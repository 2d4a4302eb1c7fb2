import { Controller, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Id } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { MarkAllRead, MarkChannelRead } from '../domain/change-flags.js';

class MarkChannelReadParameters {
  @Id() readonly stream_id!: number;
}

class MarkTopicReadParameters extends MarkChannelReadParameters {
  @IsString() readonly topic_name!: string;
}

@Controller()
export class MarkReadController {
  constructor(private readonly dispatch: Dispatch) {}

  /** Always complete: one event marks any number of messages. */
  @Post('mark_all_as_read')
  async all(@Caller() { user, by }: Caller): Promise<{ complete: boolean }> {
    await this.dispatch.do(new MarkAllRead({ userId: user._id, by }));
    return { complete: true };
  }

  @Post('mark_stream_as_read')
  async channel(@Caller() { user, by }: Caller, @Parameters() { stream_id }: MarkChannelReadParameters): Promise<void> {
    await this.dispatch.do(new MarkChannelRead({ userId: user._id, channelId: stream_id, topic: null, by }));
  }

  @Post('mark_topic_as_read')
  async topic(
    @Caller() { user, by }: Caller,
    @Parameters() { stream_id, topic_name }: MarkTopicReadParameters,
  ): Promise<void> {
    await this.dispatch.do(new MarkChannelRead({ userId: user._id, channelId: stream_id, topic: topic_name, by }));
  }
}
