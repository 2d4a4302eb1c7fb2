import { Controller, Patch, Post } from '@nestjs/common';
import { IsIn, IsInt, IsString } from 'class-validator';
import { Directory } from '../../../directory/directory.js';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { may } from '../../../directory/permissions.js';
import { topicNamed } from '../../../events/messages/topic-name.js';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Id, JsonText, OptionalId, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { SetTopicPolicy } from '../domain/topic-policies.js';

/** Parameters of `POST /user_topics`. */
class TopicPolicyParameters {
  @Id() readonly stream_id!: number;
  @IsString() readonly topic!: string;
  @JsonText() @IsInt() @IsIn(Object.values(TOPIC_POLICIES)) readonly visibility_policy!: TopicPolicy;
}

/** A channel by its id or by its name. */
class MuteTopicParameters {
  @OptionalId() readonly stream_id?: number;
  @OptionalText() readonly stream?: string;
  @IsString() readonly topic!: string;
  @IsIn(['add', 'remove']) readonly op!: 'add' | 'remove';
}

/** The id of a channel that is named by its id or by its name, not by both. */
function channelNamed(
  { stream_id, stream: name }: MuteTopicParameters,
  user: UserRecord,
  directory: Directory,
): number {
  if (stream_id !== undefined && name !== undefined)
    refuse('INCOMPATIBLE_PARAMETERS', { parameters: 'stream_id, stream' });
  if (stream_id !== undefined) return stream_id;
  if (name === undefined) return refuse('REQUEST_VARIABLE_MISSING', { var_name: 'stream_id' });
  const channel = directory.channelByName(name);
  if (!channel || !may(user, { channel, to: 'see' }, directory)) return refuse('INVALID_CHANNEL_NAME', { name });
  return channel._id;
}

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
