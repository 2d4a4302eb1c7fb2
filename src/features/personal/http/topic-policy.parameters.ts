import { IsIn, IsInt, IsString } from 'class-validator';
import { TOPIC_POLICIES, type TopicPolicy } from '../../../events/personal/personal.settings.js';
import { Id, JsonText, OptionalId, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';

/** Parameters of `POST /user_topics`. */
export class TopicPolicyParameters {
  @Id() readonly stream_id!: number;
  @IsString() readonly topic!: string;
  @JsonText() @IsInt() @IsIn(Object.values(TOPIC_POLICIES)) readonly visibility_policy!: TopicPolicy;
}

/** A channel by its id or by its name. */
export class MuteTopicParameters {
  @OptionalId() readonly stream_id?: number;
  @OptionalText() readonly stream?: string;
  @IsString() readonly topic!: string;
  @IsIn(['add', 'remove']) readonly op!: 'add' | 'remove';
}
