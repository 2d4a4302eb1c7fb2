import { Controller, Patch, Post } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import { TOPIC_POLICIES } from '../../../events/personal/personal.settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { SetTopicPolicy } from '../domain/set-topic-policy.js';
import { channelNamed } from './mute-topic.mapping.js';
import { MuteTopicParameters, TopicPolicyParameters } from './topic-policy.parameters.js';

@Controller()
export class TopicPoliciesController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly directory: Directory,
  ) {}

  @Post('user_topics')
  async set(
    @Caller() { user, by }: Caller,
    @Parameters() { stream_id, topic, visibility_policy }: TopicPolicyParameters,
  ): Promise<void> {
    const named = topicNamed(topic);
    await this.dispatch.do(
      new SetTopicPolicy({ userId: user._id, channelId: stream_id, topic: named, to: visibility_policy, by }),
    );
  }

  /** For clients older than `POST /user_topics`. */
  @Patch('users/me/subscriptions/muted_topics')
  async mute(@Caller() { user, by }: Caller, @Parameters() parameters: MuteTopicParameters): Promise<void> {
    const channelId = channelNamed(parameters, user, this.directory);
    const to = parameters.op === 'add' ? TOPIC_POLICIES.muted : TOPIC_POLICIES.none;
    await this.dispatch.do(
      new SetTopicPolicy({ userId: user._id, channelId, topic: topicNamed(parameters.topic), to, by }),
    );
  }
}
