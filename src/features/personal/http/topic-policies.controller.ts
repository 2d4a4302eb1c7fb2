import { Controller, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import { TOPIC_POLICIES } from '../../../events/personal/personal.settings.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { SetTopicPolicy } from '../domain/set-topic-policy.js';
import { channelNamed } from './mute-topic.mapping.js';
import { MuteTopicParameters, TopicPolicyParameters } from './topic-policy.parameters.js';

@Controller()
export class TopicPoliciesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Post('user_topics')
  async set(
    @Caller() caller: Caller,
    @Parameters(TopicPolicyParameters) { stream_id, topic, visibility_policy }: TopicPolicyParameters,
  ): Promise<void> {
    const named = topicNamed(topic);
    const by = commandContext(caller);
    await this.commands.execute(
      new SetTopicPolicy({ userId: caller.user._id, channelId: stream_id, topic: named, to: visibility_policy, by }),
    );
  }

  /** For clients older than `POST /user_topics`. */
  @Patch('users/me/subscriptions/muted_topics')
  async mute(
    @Caller() caller: Caller,
    @Parameters(MuteTopicParameters) parameters: MuteTopicParameters,
  ): Promise<void> {
    const channelId = channelNamed(parameters, caller.user, this.directory);
    const to = parameters.op === 'add' ? TOPIC_POLICIES.muted : TOPIC_POLICIES.none;
    const by = commandContext(caller);
    await this.commands.execute(
      new SetTopicPolicy({ userId: caller.user._id, channelId, topic: topicNamed(parameters.topic), to, by }),
    );
  }
}
